"""The tables of a paper, printed or ours, as rules read them, and what a rule answers."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import pandas as pd

__all__ = ["Answer", "Conclusion", "Pair", "Tables", "average_rank", "turned_orders"]


class Pair(NamedTuple):
    """A significant difference."""

    dataset: str
    winner: str
    loser: str


class Answer(NamedTuple):
    """Whether a conclusion holds in some tables, and the figures that say so."""

    holds: bool
    figures: str


@dataclass(frozen=True, eq=False)
class Tables:
    """Numbers of a paper's tables, by the beginnings of their names: printed, ours, or of a small study."""

    means: dict[str, pd.DataFrame] = field(default_factory=dict)  # a row for each data set
    wins: dict[str, frozenset[Pair]] = field(default_factory=dict)
    #: The share of test sets on which the cut-off of probabilities changes the score; never printed.
    held_back: Callable[[str], pd.DataFrame] | None = None


@dataclass(frozen=True)
class Conclusion:
    """A sentence of a paper's text, and a rule that judges tables by it."""

    says: str  # what the paper concludes, in our words
    where: str  # the section, and a word or two of its sentence
    rule: str  # when it holds, in words
    judge: Callable[..., Answer] | None  # of `Tables`, and of the limit if there is one
    printed: str = ""  # why the rule cannot be applied to the printed tables
    limit: float | None = None  # the number of the rule that the paper does not give

    def answer(self, tables: Tables, factor: float = 1.0) -> Answer:
        """Judge tables, with the limit moved by a factor."""
        if self.judge is None:
            raise ValueError(f"there is no rule for {self.says!r}")
        return self.judge(tables) if self.limit is None else self.judge(tables, factor * self.limit)


def average_rank(table: pd.DataFrame) -> pd.Series:
    """Return the mean rank of each learner over data sets; 1 is the largest value."""
    return table.rank(axis=1, ascending=False).mean()


def turned_orders(one: pd.DataFrame, other: pd.DataFrame) -> float:
    """Return the share of pairs of learners, over data sets, that two measures order the other way round."""
    turned = total = 0
    learners = list(one.columns)
    for i, first in enumerate(learners):
        for second in learners[i + 1 :]:
            signs = (one[first] - one[second]) * (other[first] - other[second])
            turned += int((signs < 0).sum())
            total += int((signs.notna() & (signs != 0)).sum())
    return turned / total if total else float("nan")
