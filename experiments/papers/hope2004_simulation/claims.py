"""The claims of Hope and Korb (2004), section 5.1, and the rules that judge them.

A case is the rewards of four learners, in the paper's roles, on the same truths. A rule turns its paired
differences or its means into a verdict; a claim is a rule and what it is about.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from workbench.comparisons import PairedDifference, PairedDifferences, mean_intervals, paired_differences

AGREE, DISAGREE, UNCLEAR = "agree", "disagree", "unclear"
LEVEL = 0.05
PRINTED = (-0.3, 0.1)  # the paper's range of all rewards on AODE data
KINDS = ("naive_bayes", "tan", "aode")
ROLES = ("NB", "TAN", "AODE", "CaMML")
SIZES = (50, 500, 5000)
EARLY, LATER, LAST = (50,), (500, 5000), (5000,)
MARGIN = 0.02  # of the main study, in bits


@dataclass(frozen=True)
class Effect:
    """A difference or a mean, with its interval."""

    what: str
    value: float
    low: float
    high: float
    p: float | None = None  # by Holm's test, where that decides

    def __str__(self) -> str:
        p = "" if self.p is None else ", p < .001" if self.p < 0.001 else f", p = {self.p:.3f}"
        return f"{self.what}: {number(self.value)} ({number(self.low)} to {number(self.high)}{p})"


@dataclass(frozen=True)
class Judgment:
    """A verdict and the effects that decide it."""

    verdict: str
    effects: tuple[Effect, ...]


@dataclass(frozen=True, eq=False)
class Case:
    """Rewards of the four roles, shape (n_truths, n_roles, n_sizes), and the margin of what is similar."""

    values: NDArray[np.float64]
    margin: float = MARGIN
    sizes: Sequence[int] = field(default=SIZES)

    @cached_property
    def differences(self) -> PairedDifferences:
        """All pairs at all sizes: simultaneous 95% intervals, and p values by Holm."""
        return paired_differences(self.values, learners=ROLES, settings=self.sizes)

    @cached_property
    def means(self) -> dict[tuple[str, int], Effect]:
        """All means, with simultaneous 95% intervals between truths."""
        found = mean_intervals(self.values)
        return {
            (role, size): Effect(f"{role} at {size}", found.mean[i, j], found.low[i, j], found.high[i, j])
            for i, role in enumerate(ROLES)
            for j, size in enumerate(self.sizes)
        }

    def pairs(self, pairs: Sequence[tuple[str, str]], sizes: Sequence[int]) -> list[PairedDifference]:
        """Return the differences of pairs (first minus second) at sizes."""
        return [self.differences.between(*pair, size) for size in sizes for pair in pairs]


def number(value: float) -> str:
    """Write a reward with three decimals and no minus zero."""
    return f"{round(value, 3) + 0.0:.3f}"


def effect(pair: PairedDifference, *, tested: bool = False) -> Effect:
    """Return a difference with its interval, and its p value if it was tested."""
    what = f"{pair.learner} - {pair.other} at {pair.setting}"
    return Effect(what, pair.difference, pair.low, pair.high, float(pair.p_holm) if tested else None)


def judge_alike(pairs: Sequence[PairedDifference], margin: float) -> Judgment:
    """Agree if every interval lies within the margin; disagree if one lies wholly outside."""
    outside = [pair for pair in pairs if max(pair.low, -pair.high) > margin]
    if outside:
        return Judgment(DISAGREE, (effect(max(outside, key=lambda pair: max(pair.low, -pair.high))),))
    widest = max(pairs, key=lambda pair: max(-pair.low, pair.high))
    within = max(-widest.low, widest.high) <= margin
    return Judgment(AGREE if within else UNCLEAR, (effect(widest),))


def judge_caught_up(behind: Sequence[PairedDifference], margin: float) -> Judgment:
    """Agree if no interval of (other - learner) reaches above the margin; disagree if one lies above."""
    worst = max(behind, key=lambda pair: pair.high)
    below = [pair for pair in behind if pair.low > margin]
    if below:
        return Judgment(DISAGREE, (effect(max(below, key=lambda pair: pair.low)),))
    return Judgment(AGREE if worst.high <= margin else UNCLEAR, (effect(worst),))


def judge_order(pairs: Sequence[PairedDifference]) -> Judgment:
    """Agree if every pair is significant in its direction; disagree if one is in the other."""
    reverse = [pair for pair in pairs if pair.p_holm < LEVEL and pair.difference < 0]
    open_ = [pair for pair in pairs if not pair.p_holm < LEVEL]
    verdict = DISAGREE if reverse else UNCLEAR if open_ else AGREE
    least = min(reverse or open_ or pairs, key=lambda pair: pair.difference)
    return Judgment(verdict, (effect(least, tested=True),))


def judge_range(means: Iterable[Effect]) -> Judgment:
    """Agree if all means lie in the printed range; disagree where a whole interval lies outside."""
    ordered = sorted(means, key=lambda mean: mean.value)
    low, high = PRINTED
    inside = low <= ordered[0].value and ordered[-1].value <= high
    outside = any(mean.high < low or mean.low > high for mean in ordered)
    return Judgment(AGREE if inside else DISAGREE if outside else UNCLEAR, (ordered[0], ordered[-1]))


def judge_only_not_below(favored: Effect, others: Sequence[Effect]) -> Judgment:
    """Judge that `favored` alone is not below zero, the reward of the class frequencies in training."""
    best = max(others, key=lambda mean: mean.value)
    above = max(others, key=lambda mean: mean.low)
    if favored.high < 0 or above.low > 0:
        return Judgment(DISAGREE, (favored, above if above.low > 0 else best))
    highest = max(others, key=lambda mean: mean.high)
    return Judgment(AGREE if highest.high < 0 else UNCLEAR, (favored, highest))


def judge_none_above(means: Sequence[Effect], margin: float) -> Judgment:
    """Disagree if an interval lies above zero; else agree if none reaches above by more than the margin."""
    above = max(means, key=lambda mean: mean.low)
    if above.low > 0:
        return Judgment(DISAGREE, (above,))
    highest = max(means, key=lambda mean: mean.high)
    return Judgment(AGREE if highest.high <= margin else UNCLEAR, (highest,))


def alike(pairs: Sequence[tuple[str, str]], sizes: Sequence[int], case: Case) -> Judgment:
    """Judge that pairs are alike at sizes."""
    return judge_alike(case.pairs(pairs, sizes), case.margin)


def caught_up(pairs: Sequence[tuple[str, str]], sizes: Sequence[int], case: Case) -> Judgment:
    """Judge that the second of each pair is not behind the first at sizes."""
    return judge_caught_up(case.pairs(pairs, sizes), case.margin)


def order(pairs: Sequence[tuple[str, str]], sizes: Sequence[int], case: Case) -> Judgment:
    """Judge that the first of each pair is ahead of the second at sizes."""
    return judge_order(case.pairs(pairs, sizes))


def all_in_range(case: Case) -> Judgment:
    """Judge the range of the means of all learners at all sizes."""
    return judge_range(case.means.values())


def only_camml_not_below(case: Case) -> Judgment:
    """Judge that CaMML alone is not below zero at 50 rows."""
    return judge_only_not_below(case.means["CaMML", 50], [case.means[role, 50] for role in ROLES[:3]])


def none_above_zero(case: Case) -> Judgment:
    """Judge that no learner is above zero at 50 rows."""
    return judge_none_above([case.means[role, 50] for role in ROLES], case.margin)


@dataclass(frozen=True)
class Claim:
    """One claim of the paper."""

    name: str
    source: str
    words: str
    rule: Callable[[Case], Judgment]
    by_means: bool = False  # judged on test rows against the training prior, whose own reward is zero
    of_margin: bool = False  # depends on what counts as similar


def versus(firsts: str, seconds: str) -> list[tuple[str, str]]:
    """Return all pairs of names in two strings."""
    return [(first, second) for first in firsts.split() for second in seconds.split()]


ALIKE = [("NB", "TAN"), ("NB", "AODE"), ("TAN", "AODE")]
CAMML_FIRST, NB_FIRST = versus("CaMML", "NB TAN AODE"), versus("NB", "TAN AODE CaMML")
CAMML_LAST, AODE_FIRST = versus("NB TAN AODE", "CaMML"), versus("AODE", "NB TAN CaMML")
TREES_FIRST, NB_LAST = versus("TAN CaMML", "AODE"), versus("TAN AODE CaMML", "NB")
CLAIMS = (
    Claim("1", "naive_bayes", "NB, TAN and AODE similar at every size", partial(alike, ALIKE, SIZES),
          of_margin=True),
    Claim("2", "naive_bayes", "CaMML worse than the others at 50", partial(order, CAMML_LAST, EARLY)),
    Claim("3", "naive_bayes", "CaMML catches up later", partial(caught_up, CAMML_LAST, LATER),
          of_margin=True),
    Claim("4", "tan", "AODE best at 50", partial(order, AODE_FIRST, EARLY)),
    Claim("5", "tan", "TAN and CaMML above AODE later", partial(order, TREES_FIRST, LATER)),
    Claim("6", "tan", "NB worst later", partial(order, NB_LAST, LATER)),
    Claim("7", "aode", "all mean rewards between -0.3 and 0.1", all_in_range, by_means=True),
    Claim("8", "aode", "at 50 only CaMML not below zero", only_camml_not_below, by_means=True),
    Claim("9a", "aode", "AODE best at 500", partial(order, AODE_FIRST, (500,))),
    Claim("9b", "aode", "AODE best at 5000", partial(order, AODE_FIRST, (5000,))),
    Claim("10a", "aode", "CaMML above NB at 50", partial(order, versus("CaMML", "NB"), EARLY)),
    Claim("10b", "aode", "CaMML above all others at 50", partial(order, CAMML_FIRST, EARLY)),
    Claim("11", "aode", "no learner above zero at 50, CaMML included", none_above_zero, by_means=True,
          of_margin=True),
    # What the section expects beforehand.
    *(Claim(f"12{source[0]}", source, "CaMML as good as every other at 5000",
            partial(caught_up, CAMML_LAST, LAST), of_margin=True) for source in KINDS),
    *(Claim(f"13{source[0]}", source, "TAN and AODE as good as NB at 5000",
            partial(caught_up, NB_FIRST[:2], LAST), of_margin=True) for source in KINDS),
    Claim("14n", "naive_bayes", "NB above all others at 50", partial(order, NB_FIRST, EARLY)),
    Claim("14t", "tan", "TAN above CaMML at 50", partial(order, versus("TAN", "CaMML"), EARLY)),
)  # fmt: skip
