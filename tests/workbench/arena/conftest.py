"""Made-up scores on a made-up suite: a map of eight places and one probe."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from workbench.profiles.entrants import Entrant
from workbench.profiles.scores import SuiteScores

SIZES = (50, 500, 5000)
KINDS, WIDTHS, LEVELS = ("naive_bayes", "tan"), ("narrow", "wide"), ("easy", "hard")
YARDSTICKS = ("truth", "optimal", "prior")


def place(kind, width, difficulty, part="map"):
    key = f"{kind}-{width}-{difficulty}" if part == "map" else f"noise-{kind}"
    return SimpleNamespace(key=key, part=part, kind=kind, width=width, difficulty=difficulty, sizes=SIZES)


PLACES = (
    *(place(kind, width, level) for kind in KINDS for width in WIDTHS for level in LEVELS),
    place("tan", "narrow", "", part="probes"),
)


class MadeUp:
    """What the arena asks of a suite."""

    places = PLACES

    def place(self, key):
        return next(one for one in PLACES if one.key == key)


def with_content(scores):
    """Give scores the made-up suite."""
    vars(scores)["content"] = MadeUp()
    return scores


@pytest.fixture(scope="session")
def make_scores():
    """Return a function that makes scores of learners with given mean regrets."""

    def made(regrets, *, n_truths=8, seed=0, names=None, spread=0.05):
        rng = np.random.default_rng(seed)
        n = len(regrets)
        learners = (*YARDSTICKS, *(names or [f"learner_{i:02d}" for i in range(n)]))
        shape = (len(PLACES), n_truths, len(SIZES))
        level = 0.2 + 0.1 * rng.random(shape)
        own = spread * rng.normal(size=(n, *shape)) + np.reshape(regrets, (n, 1, 1, 1))
        loss = np.empty((len(learners), *shape))
        loss[0], loss[1], loss[2], loss[3:] = 0, 0.05 / np.sqrt(SIZES), level + 2, level + own
        loss[1, [one.kind == "tan" for one in PLACES]] = np.nan  # no optimum there
        seconds = np.arange(1, len(learners) + 1)[:, None, None] * np.sqrt(SIZES) * np.ones((len(PLACES), 1))
        values = {"kl_divergence": loss, "ir_b": 1 - loss, "accuracy": 0.9 - loss / 10}
        means = {"fit": seconds / 1000, "predict": seconds / 2000}
        single = [{name: one.astype(np.float32) for name, one in both.items()} for both in (values, means)]
        return with_content(
            SuiteScores("made-up", learners, tuple(one.key for one in PLACES), SIZES, *single)
        )

    return made


@pytest.fixture(scope="session")
def without():
    """Return a function that takes scores of a learner away: those of some truths and sizes."""

    def taken(scores, learner, *, truths=slice(0, 0), sizes=slice(0, 0)):
        values = {name: one.copy() for name, one in scores.values.items()}
        for one in values.values():
            one[scores.at(learner), :, truths] = np.nan
            one[scores.at(learner), :, :, sizes] = np.nan
        return with_content(replace(scores, values=values))

    return taken


@pytest.fixture(scope="session")
def only():
    """Return a function that keeps some learners of scores."""

    def kept(scores, learners):
        return with_content(scores.only(learners=learners))

    return kept


@pytest.fixture(scope="session")
def entrants_of():
    """Return a function that makes entrants for scores."""

    def made(scores, **notes):
        families = ("Bayesian classifiers", "trees", "ensembles")
        return {
            key: Entrant(key, key.replace("_", " "), families[i % 3], "nb", note=notes.get(key, ""))
            for i, key in enumerate(scores.learners)
        }

    return made
