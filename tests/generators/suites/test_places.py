"""Places of a suite: the map is complete, knobs turn one thing, and every truth is that of the manifest."""

import dataclasses
import itertools
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from generators.suites.places import MAP, PROBES
from generators.suites.suite import SuiteMismatch, suite

ROOT = Path(__file__).resolve().parents[3]
SUITE = suite("bias-v2")
ON_MAP = [place for place in SUITE.places if place.part == MAP]
OF_PROBES = [place for place in SUITE.places if place.part == PROBES]
KINDS = (
    "naive_bayes", "tan", "aode", "kdb", "dag",
    "decision_tree", "decision_graph", "rules", "gaussian_naive_bayes",
)  # fmt: skip


def test_the_map_has_every_kind_width_and_difficulty_once() -> None:
    found = [(place.kind, place.width, place.difficulty) for place in ON_MAP]
    assert found == list(itertools.product(KINDS, ("narrow", "wide"), ("easy", "medium", "hard")))


def test_every_probe_has_its_levels_on_two_kinds_of_truths() -> None:
    for probe in {place.probe for place in OF_PROBES}:
        own = [place for place in OF_PROBES if place.probe == probe]
        bases = {place.base for place in own}
        levels = {base: [place.level for place in own if place.base == base] for base in bases}
        assert len(bases) == 2
        assert len({tuple(one) for one in levels.values()}) == 1
        assert len(next(iter(levels.values()))) >= 3


def test_attribute_spaces_are_small_or_too_large_to_enumerate() -> None:
    """Scores over some ten thousand cells would take most of a profile's time."""
    for place in SUITE.places:
        truth = place.draw(0)
        if getattr(truth, "enumerable", False):
            assert truth.n_cells <= 7000, place.key


def test_levels_of_a_knob_share_what_the_knob_leaves() -> None:
    few, many = (SUITE.place(f"irrelevant-tan-{n}").draw(3) for n in (10, 50))
    assert few.truth.to_json() == many.truth.to_json()


def test_truths_of_a_place_and_of_the_list_are_the_same() -> None:
    entry = SUITE.truth("kdb-narrow-hard-05")
    assert entry.draw().to_json() == SUITE.place("kdb-narrow-hard").draw(5).to_json()
    assert entry.n_attributes == len(entry.draw().attribute_names)


def test_wide_kinds_whose_optimum_is_an_average_over_networks_have_few_enough_attributes() -> None:
    for kind in ("aode", "kdb", "dag"):
        wide = [place for place in ON_MAP if place.kind == kind and place.width == "wide"]
        assert all(12 <= n <= 13 for place in wide for n in place.n_attributes)


def test_difficulty_is_what_it_says() -> None:
    """The share of the prior's error that the best forecast leaves rises from easy to hard, on average."""
    for kind in ("tan", "rules", "gaussian_naive_bayes"):
        shares = []
        for difficulty in ("easy", "medium", "hard"):
            place = SUITE.place(f"{kind}-narrow-{difficulty}")
            shares.append(np.mean([_share_of_error_left(place.draw(i)) for i in range(8)]))
        assert shares == sorted(shares)


def _share_of_error_left(truth) -> float:
    X, _ = truth.sample(500, 0)
    return (1 - truth.posterior(X).max(axis=1).mean()) / (1 - truth.class_marginal().max())


def test_another_truth_is_a_mismatch() -> None:
    place = SUITE.place("tan-narrow-easy")
    with pytest.raises(SuiteMismatch, match=r"truth 0 of the place 'tan-narrow-easy' differs from"):
        dataclasses.replace(place, seed="other").draw(0)


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda: SUITE.place("tan-narrow-esy"), "no place 'tan-narrow-esy'"),
        (
            lambda: SUITE.place("tan-narrow-easy").draw(16),
            "has 16 truths",
        ),
        (lambda: suite("bias-v1").place("tan"), "'bias-v1' has no place 'tan'"),
    ],
)
def test_unknown_places_are_one_sentence(ask, sentence) -> None:
    with pytest.raises(ValueError, match=sentence):
        ask()


@pytest.mark.process
@pytest.mark.slow
def test_processors_without_vector_units_draw_the_same_truths() -> None:
    features = "X86_V3 X86_V4 AVX512_ICL AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX2 FMA3"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [sys.executable, str(ROOT / "experiments" / "tools" / "make_places.py"), "--check"],
        env={**environment, "NPY_DISABLE_CPU_FEATURES": features},
        capture_output=True,
        text=True,
        check=True,
    )
    assert re.search(r"2752 truths are those of the manifest", done.stdout)
