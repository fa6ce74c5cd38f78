"""Worlds in which all learners are equally good, and the rates that are measured in them.

`tests_under_the_null.py` counts false alarms there; `power_of_tests.py` makes one learner better.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest

LEARNERS = ("NB", "TAN", "AODE", "noisy")
SIZES = (50, 500, 5000)
ALPHA = 0.05

# World (b): how much scores vary apart from what a subject adds to all of them, and how they correlate.
SD_OF_SIZE = np.array([1.0, 0.5, 0.25])
SD_OF_LEARNER = np.array([1.0, 1.0, 0.8, 3.0])
CORRELATION_OF_LEARNERS = np.array(
    [[1.0, 0.6, 0.8, 0.2], [0.6, 1.0, 0.8, 0.2], [0.8, 0.8, 1.0, 0.2], [0.2, 0.2, 0.2, 1.0]]
)
CORRELATION_OF_SIZES = np.array([[1.0, 0.6, 0.36], [0.6, 1.0, 0.6], [0.36, 0.6, 1.0]])

# World (s): a subject's difficulty is gamma and costs each learner a different multiple of it, so that the
# difference of any two learners is skewed; the part shared by the sizes correlates them.
SKEWNESS = 3.4  # of the difficulty; a little normal noise leaves 3.2 to 3.4 for the differences
SHARED = 0.6
COST = np.array([0.0, 1.0, 2.0, 4.0])
NOISE = 0.15

Draw = Callable[[np.random.Generator, int], NDArray[np.float64]]


@dataclass(frozen=True)
class World:
    """One way in which all true means can be equal."""

    key: str
    name: str
    noise: str
    correlations: str
    n_subjects: int
    draw: Draw  # returns scores (n_subjects, learners, sizes)
    seed: int  # added to the seed of the page
    sd: NDArray[np.float64]  # true, of the difference of the first two learners, by size


@dataclass(frozen=True)
class Rate:
    """A measured share of simulations, or mean share within them, with its 95% interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return "-" if np.isnan(self.value) else f"{self.value:.3f} ({self.low:.3f}, {self.high:.3f})"


def rate(outcomes: NDArray[np.float64]) -> Rate:
    """Return the mean with its interval: exact binomial for yes or no, by standard error for shares."""
    outcomes = outcomes[~np.isnan(outcomes)]  # simulations that have none of what is counted
    if outcomes.size < 2:
        return Rate(float("nan"), float("nan"), float("nan"))
    if np.isin(outcomes, (0.0, 1.0)).all():
        found = binomtest(int(outcomes.sum()), outcomes.size).proportion_ci(0.95, method="exact")
        return Rate(float(outcomes.mean()), float(found.low), float(found.high))
    margin, mean = 1.96 * float(outcomes.std(ddof=1)) / np.sqrt(outcomes.size), float(outcomes.mean())
    return Rate(mean, max(0.0, mean - margin), mean + margin)


def rates(outcomes: dict[str, NDArray[np.float64]]) -> dict[str, Rate]:
    """Return the rate of each test or decision."""
    return {name: rate(found) for name, found in outcomes.items()}


def options(about: str, simulations: int, page: str) -> argparse.ArgumentParser:
    """Make the parser of a script that simulates and writes a page."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("--simulations", type=int, default=simulations)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--to", type=Path, default=Path("docs/reference") / page)
    return parser


def spherical(rng: np.random.Generator, n_subjects: int) -> NDArray[np.float64]:
    """Draw scores (n_subjects, learners, sizes): a subject's own level plus equal, independent noise."""
    return _subjects(rng, n_subjects) + rng.standard_normal((n_subjects, len(LEARNERS), len(SIZES)))


def uneven(
    rng: np.random.Generator, n_subjects: int, sd_of_learner: NDArray[np.float64] = SD_OF_LEARNER
) -> NDArray[np.float64]:
    """Draw scores whose cells differ in variance and are correlated, as learners on the same samples are."""
    covariance = np.kron(
        CORRELATION_OF_LEARNERS * np.outer(sd_of_learner, sd_of_learner),
        CORRELATION_OF_SIZES * np.outer(SD_OF_SIZE, SD_OF_SIZE),
    )
    noise = rng.standard_normal((n_subjects, len(covariance))) @ np.linalg.cholesky(covariance).T
    return _subjects(rng, n_subjects) + noise.reshape(n_subjects, len(LEARNERS), len(SIZES))


def heavy_tailed(rng: np.random.Generator, n_subjects: int) -> NDArray[np.float64]:
    """Draw spherical scores whose differences between cells all are t with 3 degrees of freedom."""
    noise = rng.standard_normal((n_subjects, len(LEARNERS), len(SIZES)))
    # One divisor for all cells of a subject: some subjects are wild as a whole.
    return _subjects(rng, n_subjects) + noise / np.sqrt(rng.chisquare(3, (n_subjects, 1, 1)) / 3)


def skewed(rng: np.random.Generator, n_subjects: int) -> NDArray[np.float64]:
    """Draw scores whose differences are skewed: a few subjects cost one learner much more than another."""
    shape = 4 / SKEWNESS**2
    common = rng.gamma(SHARED * shape, size=(n_subjects, 1, 1))
    own = rng.gamma((1 - SHARED) * shape, size=(n_subjects, 1, len(SIZES)))
    # Centered and scaled to a standard deviation of 1; sums of such gammas are gamma.
    difficulty = (common + own - shape) / np.sqrt(shape)
    noise = NOISE * rng.standard_normal((n_subjects, len(LEARNERS), len(SIZES)))
    return _subjects(rng, n_subjects) + (noise - COST[:, None] * difficulty) * SD_OF_SIZE


def _subjects(rng: np.random.Generator, n_subjects: int) -> NDArray[np.float64]:
    return rng.standard_normal((n_subjects, 1, 1))


#: Of NB - TAN, by size.
_SD_EQUAL = np.full(len(SIZES), np.sqrt(2.0))
_SD_UNEVEN = np.sqrt(2 - 2 * CORRELATION_OF_LEARNERS[0, 1]) * SD_OF_SIZE
_SD_SKEWED = np.sqrt((COST[1] - COST[0]) ** 2 + 2 * NOISE**2) * SD_OF_SIZE

WORLDS = (
    World(
        "a",
        "spherical, 40 subjects",
        "normal, equal variance",
        "only by the level of the subject",
        40,
        spherical,
        0,
        _SD_EQUAL,
    ),
    World(
        "b",
        "unequal and correlated, 40 subjects",
        'normal, standard deviation 1, 0.5, 0.25 by size; learner "noisy" three times that of NB and TAN',
        '0.2 of "noisy" with others, 0.6 to 0.8 of others; 0.6 of neighboring sizes',
        40,
        uneven,
        1,
        _SD_UNEVEN,
    ),
    World(
        "c",
        "heavy tails, 40 subjects",
        "as (a), divided by one random factor per subject: differences are t with 3 degrees of freedom",
        "as (a)",
        40,
        heavy_tailed,
        2,
        np.sqrt(3.0) * _SD_EQUAL,
    ),
    World("d", "as (b), 10 subjects", "as (b)", "as (b)", 10, uneven, 3, _SD_UNEVEN),
    World(
        "s",
        "skewed, 40 subjects",
        "a difficulty of the subject, gamma with skewness 3.4, costs NB, TAN, AODE and noisy 0, 1, 2 and 4 "
        "times as much: all 18 differences have skewness 3.2 to 3.4; standard deviations by size as (b)",
        "0.6 of sizes",
        40,
        skewed,
        4,
        _SD_SKEWED,
    ),
    World(
        "t",
        "as (s), 10 subjects",
        "as (s)",
        "as (s)",
        10,
        skewed,
        5,
        _SD_SKEWED,
    ),
)
