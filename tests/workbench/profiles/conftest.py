"""Scores on the suite that are made up, so that what profiles say of them is known."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from workbench.profiles.part import SuitePart
from workbench.profiles.scores import DESCRIPTIONS, DIRECTIONS, LOSS, SuiteScores


def made_up(losses, *, n_truths=4, largest=500, seed=0):
    """Return scores of learners whose loss is a function of place and size, with noise that truths share.

    The loss of the optimum, where a place is given one, and of the truth is the shared noise alone.
    """
    part = SuitePart(n_truths, largest)
    places = [place for place in part.content.places if part.sizes(place)]
    sizes = sorted({size for place in places for size in part.sizes(place)})
    rng = np.random.default_rng(seed)
    shape = (len(places), n_truths, len(sizes))
    shared = rng.uniform(0.05, 0.15, shape)
    there = np.array([[size in place.sizes for size in sizes] for place in places])[:, None, :]
    values = {}
    for name in (*DIRECTIONS, *DESCRIPTIONS):
        rows = []
        for function in losses.values():
            own = np.array([[function(place, size) for size in sizes] for place in places])[:, None, :]
            noise = rng.normal(0, 0.002, shape) if function is not zero else 0.0
            rows.append(np.where(there, own + shared + noise, np.nan))
        values[name] = np.array(rows, dtype=np.float32)
    seconds = {
        name: np.where(there[:, 0], 0.001 * np.array(sizes), np.nan)[None].repeat(len(losses), 0)
        for name in ("fit", "predict")
    }
    return SuiteScores("bias-v2", tuple(losses), tuple(p.key for p in places), tuple(sizes), values, seconds)


def zero(place, size):
    """Lose nothing."""
    return 0.0


@pytest.fixture
def scores():
    """Four learners: one is best, one is blind to irrelevant attributes, one is the class frequencies."""

    def steady(place, size):
        return 2.0 / size

    def led_astray(place, size):
        return 3.0 / size + (0.02 * place.level if place.probe == "irrelevant" else 0.0)

    def ignorant(place, size):
        return 0.5

    learners = {
        "truth": zero, "optimal": zero, "prior": ignorant, "nb": steady, "tan": led_astray, "c45": ignorant,
    }  # fmt: skip
    return made_up(learners)


COLUMNS = ("learner", "source", "replicate", "n_train", "state", "message")


@pytest.fixture(scope="session")
def profile_with():
    """Return a function that profiles a made-up learner next to made-up reference learners."""
    from workbench.profiles.findings import findings_of
    from workbench.profiles.measure import Measured
    from workbench.profiles.part import SuitePart
    from workbench.profiles.profile import Profile
    from workbench.profiles.reference import Reference

    def make(loss, *, failed=(), others=(), change=lambda values: values):
        others = {
            "truth": zero,
            "optimal": zero,
            "prior": lambda place, size: 0.5,
            "nb": lambda place, size: 2.0 / size,
            "tan": lambda place, size: 4.0 / size,
            "c45": lambda place, size: 0.3,
            "categorical_nb": lambda place, size: 2.2 / size,
            **dict(others),
        }
        scores = made_up({**others, "mine": loss})
        part = SuitePart(4, 500)
        reference = Reference(
            scores.only(learners=list(others)), dict.fromkeys(others, part),
            np.zeros((len(others), *scores.values[LOSS].shape[1:]), np.bool_),
            {key: {"class": key} for key in others}, {},
        )  # fmt: skip
        own = scores.only(learners=["mine"])
        own = type(own)(
            own.suite, own.learners, own.places, own.sizes,
            {name: change(one) if name == LOSS else one for name, one in own.values.items()}, own.seconds,
        )  # fmt: skip
        cells = pd.DataFrame(list(failed), columns=list(COLUMNS))
        return Profile.of(findings_of(Measured(own, part, cells), reference))

    return make


#: Wide places where times are taken, and probes, next to a narrow place of each kind.
FEW = (
    "naive_bayes-wide-medium", "tan-wide-hard", "gaussian_naive_bayes-wide-medium", "interaction-6-1",
    "interaction-6-2", "interaction-6-3", "irrelevant-tan-0", "irrelevant-tan-10",
)  # fmt: skip


@pytest.fixture
def few_places(monkeypatch):
    """Make the suite one of a few places with few test rows, and leave out what is measured apart."""
    from workbench.profiles import part
    from workbench.profiles.reference import read_reference

    read_reference()  # which has all places, and is kept
    whole = part._suite("bias-v2")
    places = (one for one in whole.places if one.key in FEW or one.key.endswith("-narrow-medium"))
    few = replace(whole, places=tuple(places))
    assert len(few.places) == 9 + len(FEW)
    monkeypatch.setattr(part, "_suite", lambda name: few)
    monkeypatch.setattr(part, "N_TEST", 100)
    for what in ("scaling_of", "spread_of"):
        monkeypatch.setattr(f"workbench.profiles.profile.{what}", lambda *given, **options: pd.DataFrame())
    return few
