"""Suites are the same wherever they are drawn, and as their manifests say."""

import dataclasses
import itertools
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from generators import GENERATORS, Network, random_tan
from generators.base.checksum import canonical_text, checksum, is_steady
from generators.facts import bayes_error
from generators.suites.suite import SuiteMismatch, list_suites, suite
from workbench.base import catalogue

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = ROOT / "experiments" / "tools" / "make_suite.py"
DIFFICULTIES = {"easy": (0.0, 1 / 3), "medium": (1 / 3, 2 / 3), "hard": (2 / 3, 0.95)}


def test_bias_v1_has_every_kind_size_and_difficulty_once() -> None:
    entries = [(entry.kind, entry.n_attributes, entry.difficulty) for entry in suite("bias-v1")]
    assert entries == list(itertools.product(suite("bias-v1").kinds, (4, 7, 10), DIFFICULTIES))


def test_the_kinds_are_keys_of_the_catalogue() -> None:
    for kind in suite("bias-v1").kinds:
        assert catalogue.find("generators", kind) is GENERATORS[kind]


def test_every_truth_is_that_of_the_manifest() -> None:
    for entry in suite("bias-v1"):
        truth = entry.draw()  # compares checksums
        assert len(truth.attribute_names) == entry.n_attributes
        assert len(truth.classes) == entry.facts["n_classes"]
        assert is_steady(truth), entry.name


def test_the_difficulty_is_the_share_of_the_prior_error_that_is_left() -> None:
    for entry in suite("bias-v1"):
        low, high = DIFFICULTIES[entry.difficulty]
        share = entry.facts["bayes_error"] / entry.facts["prior_error"]
        assert low < share <= high, entry.name


def test_facts_are_those_of_the_truths() -> None:
    for entry in list(suite("bias-v1"))[:70:9]:
        found = bayes_error(entry.draw())
        assert found.value == pytest.approx(entry.facts["bayes_error"], rel=1e-5)
        assert entry.facts["bayes_error_standard_error"] == 0


def test_another_truth_is_reported_with_the_versions_that_made_the_suite() -> None:
    entry = suite("bias-v1").truth("tan-04-easy")
    other = dataclasses.replace(entry, seed=entry.seed + 1, made_with={"numpy": "9.9", "scipy": "8.8"})
    with pytest.raises(SuiteMismatch, match=r"'tan-04-easy' .* made with numpy 9\.9 and scipy 8\.8"):
        other.draw()


def test_truths_come_kind_by_kind() -> None:
    few = dataclasses.replace(suite("bias-v1"), truths=suite("bias-v1").truths[7:11])
    assert {kind: len(truths) for kind, truths in few.by_kind().items()} == {"naive_bayes": 2, "tan": 2}


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda: suite("bias-v3"), "'bias-v3'.*'bias-v2'"),
        (lambda: suite("../bias-v1"), "unknown suite"),
        (
            lambda: suite("bias-v1").truth("tan-4-easy"),
            "no truth 'tan-4-easy'",
        ),
    ],
)
def test_unknown_names_are_one_sentence(ask, sentence) -> None:
    with pytest.raises(ValueError, match=sentence):
        ask()


def test_suites_are_listed() -> None:
    assert list_suites() == ("bias-v1", "bias-v2")


def test_the_checksum_does_not_hang_on_last_bits() -> None:
    truth = random_tan(n_attributes=3, random_state=0)
    nudged = Network(
        truth.names,
        truth.states,
        truth.parent_indices,
        [cpt * (1 + 4e-16) for cpt in truth.cpts],
        truth.class_index,
    )
    assert truth.to_json() != nudged.to_json()
    assert checksum(truth) == checksum(nudged)


def test_the_checksum_hangs_on_names_states_parents_and_probabilities() -> None:
    coin = Network(("coin",), (("heads", "tails"),), ((),), ([0.5, 0.5],), 0)
    others = [
        dataclasses.replace(coin, names=("die",)),
        dataclasses.replace(coin, states=(("tails", "heads"),)),
        dataclasses.replace(coin, states=((0, 1),)),
        dataclasses.replace(coin, cpts=([0.5 + 1e-9, 0.5 - 1e-9],)),
        dataclasses.replace(coin, class_index=None),
    ]
    assert len({checksum(truth) for truth in (coin, *others)}) == 6


def test_canonical_text_distinguishes_text_from_numbers() -> None:
    assert canonical_text(["0.5", 0.5, True, 1, None]) == '["0.5",0.5,true,1,null]'


@pytest.mark.process
@pytest.mark.slow
def test_processors_without_vector_units_draw_the_same_truths() -> None:
    """Their logarithms differ in the last bits; numpy is configured to leave the units out."""
    features = "X86_V3 X86_V4 AVX512_ICL AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX2 FMA3"
    found = []
    for disabled in ("", features):
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            "NPY_DISABLE_CPU_FEATURES": disabled,
        }
        done = subprocess.run(
            [sys.executable, str(SCRIPT), "--check"],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        found.append(json.loads(re.findall(r"\{.*\}", done.stdout)[-1])["checksum"])
    assert found[0] == found[1]
