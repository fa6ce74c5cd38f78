"""What the simulation of 2004 must show on each of its models, computed exactly."""

from dataclasses import replace

import pandas as pd
import pytest

from workbench import read_study, run
from workbench.study.scores import Scores

pytestmark = pytest.mark.slow

LEARNERS = ("nb", "tan", "aode", "camml", "prior", "truth")
N_MODELS, N_SIZES = 120, 3


@pytest.fixture(scope="module")
def scores(experiments) -> pd.DataFrame:
    study = read_study(experiments / "papers" / "hope2004_simulation" / "study.toml")
    exact = replace(
        study,
        learners=tuple(study.learner(key) for key in LEARNERS),
        compared=(),
        scores=Scores(("ir_b", "kl_divergence"), ("training", "marginal"), ("exact",), ("none",)),
        keep_predictions=False,
    )
    return run(exact).frame()


def values(scores: pd.DataFrame, metric: str, prior: str) -> pd.DataFrame:
    """Return one row per model and size, one column per learner."""
    chosen = scores[(scores["metric"] == metric) & (scores["prior"] == prior)]
    wide = chosen.pivot(index=["source", "replicate", "n_train"], columns="learner", values="value")
    assert wide.shape == (N_MODELS * N_SIZES, len(LEARNERS))
    assert not wide.isna().any(axis=None)
    return wide


def test_nobody_has_a_greater_reward_than_the_truth(scores):
    wide = values(scores, "ir_b", "marginal")
    for learner in LEARNERS:
        assert (wide["truth"] - wide[learner] >= 0.0).all(), learner


def test_the_truth_has_divergence_zero_and_nobody_else(scores):
    wide = values(scores, "kl_divergence", "none")
    assert (wide["truth"] == 0.0).all()
    assert (wide.drop(columns="truth") > 0.0).all(axis=None)


def test_the_prior_has_reward_zero_against_itself_to_the_bit(scores):
    assert (values(scores, "ir_b", "training")["prior"] == 0.0).all()
