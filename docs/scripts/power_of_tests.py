"""Measure what the tests of `workbench.comparisons` find when one learner is better, and draw it.

`tests_under_the_null.py` writes what is found into its page.
"""

from itertools import combinations
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from null_worlds import ALPHA, LEARNERS, SD_OF_LEARNER, SIZES, WORLDS, World, uneven
from numpy.typing import NDArray
from scipy.special import stdtr

from workbench.comparisons import paired_differences, rm_anova
from workbench.report.notes import figure_style, legend_below_all, looks, named_artists, save_figure

__all__ = [
    "CASES",
    "LEADS",
    "Case",
    "bootstrap_alarms",
    "bootstrap_finds",
    "bootstrap_t",
    "by_noise",
    "by_skewness",
    "draw",
    "finds",
]

#: How much better the first learner is than the second, in standard deviations of their difference.
LEADS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5)
CORRECTIONS = {"p": "uncorrected", "p_gg": "Greenhouse-Geisser", "p_hf": "Huynh-Feldt"}
FIRST, SECOND, MIDDLE = LEARNERS[0], LEARNERS[1], SIZES[1]
ONE_TEST = f"paired t, {FIRST} - {SECOND} at {MIDDLE}, unadjusted"
HOLM_TEST = f"paired t, {FIRST} - {SECOND} at {MIDDLE}, Holm over 18"
INTERVAL = "the same, simultaneous interval on the right side of 0"
ANY = f"paired t, {FIRST} and any other learner at any size, Holm over 18"
#: Skewness of differences and numbers of subjects of the table of one t test.
SKEWNESSES, SUBJECTS = (0.5, 1.4, 3.3), (10, 40, 200)
#: How many times as noisy as NB and TAN the last learner of world (b) is made, and the lead of NB.
NOISES, NOISE_LEAD = (1.0, 1.5, 2.0, 3.0), 0.5
MEANS = f"paired t of means over sizes, {FIRST} and any other learner, Holm over 6"
BY_NOISE = ("ANOVA learner, Greenhouse-Geisser", MEANS, ANY, HOLM_TEST)
#: Resamples of a bootstrap, and the lead of NB that it is to find.
RESAMPLES, BOOTSTRAP_LEAD = 1999, 0.5

#: A world and the sign of the lead: where differences are skewed the two sides have different power.
Case = tuple[World, int]
CASES: tuple[Case, ...] = tuple(
    (world, sign) for world in WORLDS for sign in ((1, -1) if world.key in "st" else (1,))
)


def name_of(case: Case) -> str:
    """Return the heading of a case."""
    world, sign = case
    side = {1: ", better", -1: ", worse"}[sign] if world.key in "st" else ""
    return f"({world.key}) {world.name}{side}"


def finds(case: Case, simulations: int, seed: int) -> dict[float, dict[str, NDArray[np.float64]]]:
    """Return for each lead and test one number a simulation: did it find the lead, on the right side."""
    world, sign = case
    rng = np.random.default_rng([seed, world.seed, 1])
    # All leads are added to the same draws, so that the curves share their noise.
    scores = [world.draw(rng, world.n_subjects) for _ in range(simulations)]
    found = {}
    for lead in LEADS:
        rows = [_found(one, sign * lead * world.sd, sign) for one in scores]
        found[lead] = {test: np.array([row[test] for row in rows], dtype=np.float64) for test in rows[0]}
    return found


def by_noise(simulations: int, seed: int) -> dict[float, dict[str, NDArray[np.float64]]]:
    """Return by noise of the last learner of world (b) what is found of one lead, in the draws of `finds`."""
    world = next(world for world in WORLDS if world.key == "b")
    lead, found = NOISE_LEAD * world.sd, {}
    for noise in NOISES:
        rng = np.random.default_rng([seed, world.seed, 1])
        sd = np.array([*SD_OF_LEARNER[:-1], noise])
        rows = []
        for _ in range(simulations):
            scores = uneven(rng, world.n_subjects, sd)
            rows.append(_found(scores, lead, 1) | {MEANS: _found_in_means(scores, lead)})
        found[noise] = {test: np.array([row[test] for row in rows], dtype=np.float64) for test in BY_NOISE}
    return found


def _found_in_means(scores: NDArray[np.float64], lead: NDArray[np.float64]) -> bool:
    """Return whether a t test of the mean over sizes finds the first learner better than another one."""
    ahead = scores.copy()
    ahead[:, 0] += lead
    pairs = paired_differences(
        ahead.mean(axis=2, keepdims=True), learners=LEARNERS, settings=("mean",), level=1 - ALPHA
    )
    return any(one.p_holm <= ALPHA and one.difference > 0 for one in pairs.rows if one.learner == FIRST)


def by_skewness(simulations: int, seed: int) -> dict[tuple[float, int], dict[str, NDArray[np.float64]]]:
    """Return by skewness and subjects whether t tests, and a tenth by bootstrap, reject no difference."""
    found = {}
    for skewness in SKEWNESSES:
        for n in SUBJECTS:
            rng = np.random.default_rng([seed, int(10 * skewness), n])
            shape = 4 / skewness**2
            d = rng.gamma(shape, size=(simulations, n)) - shape
            t = d.mean(axis=1) / (d.std(axis=1, ddof=1) / np.sqrt(n))
            p = 2 * stdtr(n - 1, -np.abs(t))
            # Ten simulations share their resamples, which takes a tenth of the time.
            parts = np.array_split(d[: simulations // 10].T, max(1, simulations // 100), axis=1)
            p_bootstrap = np.concatenate([bootstrap_t(part, rng) for part in parts])
            found[skewness, n] = {
                "at 0.05": (p <= ALPHA).astype(float),
                "at 0.05, difference below 0": ((p <= ALPHA) & (t < 0)).astype(float),
                "at 0.05, difference above 0": ((p <= ALPHA) & (t > 0)).astype(float),
                "at 0.05/18 (0.0028)": (p <= ALPHA / 18).astype(float),
                "bootstrap t at 0.05": (p_bootstrap <= ALPHA).astype(float),
                "bootstrap t at 0.05/18": (p_bootstrap <= ALPHA / 18).astype(float),
            }
    return found


def bootstrap_t(d: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """Return p values of equal-tailed bootstrap t tests that columns (subjects, tests) have mean 0."""
    n = len(d)
    observed = d.mean(axis=0) / d.std(axis=0)
    centered = d - d.mean(axis=0)
    drawn = rng.integers(0, n, (RESAMPLES, n)) + n * np.arange(RESAMPLES)[:, None]
    times = np.bincount(drawn.ravel(), minlength=RESAMPLES * n).reshape(RESAMPLES, n).astype(float)
    mean = times @ centered / n
    variance = times @ centered**2 / n - mean**2
    # A resample of one subject alone has no variance: its t is infinite.
    with np.errstate(divide="ignore"):
        t = mean / np.sqrt(np.maximum(variance, 0.0))
    least = np.minimum((t <= observed).sum(axis=0), (t >= observed).sum(axis=0))
    return np.minimum(1.0, 2 * (least + 1) / (RESAMPLES + 1))


def bootstrap_alarms(world: World, simulations: int, seed: int) -> dict[str, NDArray[np.float64]]:
    """Return false alarms of the bootstrap about the draws that the table of rates is of."""
    rng, own = np.random.default_rng([seed, world.seed]), np.random.default_rng([seed, world.seed, 2])
    p = np.array([bootstrap_t(_pairs(world.draw(rng, world.n_subjects)), own) for _ in range(simulations)])
    return {
        "bootstrap t, each of 18, unadjusted": (p <= ALPHA).mean(axis=1),
        # The least p value passes Holm's procedure where it passes Bonferroni's.
        "bootstrap t, any of 18, Holm": (p.min(axis=1) * p.shape[1] <= ALPHA).astype(float),
    }


def bootstrap_finds(case: Case, simulations: int, seed: int) -> NDArray[np.float64]:
    """Return whether the bootstrap finds one lead, NB - TAN at the middle size, in the draws of `finds`."""
    world, sign = case
    rng, own = np.random.default_rng([seed, world.seed, 1]), np.random.default_rng([seed, world.seed, 3])
    lead = sign * BOOTSTRAP_LEAD * world.sd[1]
    rows = []
    for _ in range(simulations):
        scores = world.draw(rng, world.n_subjects)[:, :, 1]
        d = scores[:, :1] - scores[:, 1:2] + lead
        rows.append(bootstrap_t(d, own)[0] <= ALPHA and sign * d.mean() > 0)
    return np.array(rows, dtype=np.float64)


def _pairs(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the differences of all pairs of learners at all sizes (subjects, pairs x sizes)."""
    first, second = np.array(list(combinations(range(scores.shape[1]), 2))).T
    return (scores[:, first] - scores[:, second]).reshape(len(scores), -1)


def draw(found: dict[str, dict[float, dict[str, NDArray[np.float64]]]], path: Path) -> None:
    """Draw the share found against the lead, one panel per case."""
    shown = {
        ONE_TEST: f"one t test ({FIRST} - {SECOND} at {MIDDLE}), unadjusted",
        HOLM_TEST: "the same test, Holm over 18",
        ANY: f"any of the 9 t tests of {FIRST}, Holm over 18",
        "ANOVA learner, Greenhouse-Geisser": "ANOVA learner, Greenhouse-Geisser",
        "ANOVA learner, uncorrected": "ANOVA learner, uncorrected",
    }
    with figure_style():
        figure = Figure(figsize=(7.5, 5.6), layout="constrained")
        axes = figure.subplots(2, len(found) // 2, sharex=True, sharey=True).ravel()
        for ax, (name, of_lead) in zip(axes, found.items(), strict=True):
            for test, look in looks(tuple(shown)).items():
                shares = [100 * of_lead[lead][test].mean() for lead in LEADS]
                ax.plot(
                    LEADS, shares, label=shown[test], color=look.color, marker=look.marker,
                    linestyle=look.line, markersize=3.5,
                )  # fmt: skip
            ax.axhline(100 * ALPHA, color="black", linewidth=0.6, label="5%, the level of the tests")
            ax.set_title(name.replace(", ", ",\n", 1), fontsize=8.5)
        figure.supylabel(f"simulations in which a test finds the lead of {FIRST} [%]", fontsize=9)
        for ax in axes[len(axes) // 2 :]:
            ax.set_xlabel("lead [sd of difference]")
        legend_below_all(figure, named_artists(axes[0]))
        save_figure(figure, path, dpi=200)


def _found(scores: NDArray[np.float64], lead: NDArray[np.float64], sign: int) -> dict[str, bool]:
    """Add a lead to the first learner at all sizes, and for the interaction at the first size alone."""
    at_all, at_first = scores.copy(), scores.copy()
    at_all[:, 0] += lead
    at_first[:, 0, 0] += lead[0]
    pairs = paired_differences(at_all, learners=LEARNERS, settings=SIZES, level=1 - ALPHA)
    row = pairs.between(FIRST, SECOND, MIDDLE)
    right = sign * row.difference > 0
    ahead = [one for one in pairs.rows if one.learner == FIRST and sign * one.difference > 0]
    found = {
        ONE_TEST: row.p <= ALPHA and right,
        HOLM_TEST: row.p_holm <= ALPHA and right,
        INTERVAL: not row.low <= 0 <= row.high and right,
        ANY: any(one.p_holm <= ALPHA for one in ahead),
    }
    for effect, values in (("learner", at_all), ("learner:size", at_first)):
        tested = rm_anova(values, factors=("learner", "size")).effect(effect)
        found |= {f"ANOVA {effect}, {label}": getattr(tested, p) <= ALPHA for p, label in CORRECTIONS.items()}
    return found
