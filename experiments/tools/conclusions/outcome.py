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
    """Numbers of a paper's tables: those printed, ours, or those of a study as small as the paper's.

    Parameters
    ----------
    means : mapping of str to DataFrame
        Index data set, a column for each learner, by the beginning of a table's name ("Table 1").
    wins : mapping of str to frozenset of Pair
        The significant differences, by the beginning of a table's name.
    held_back : callable
        Takes the beginning of a table's name, and returns as `means` has it the share of test sets on which
        the cut-off of probabilities changes the score by at least as much as a cell may be off that is near.
        Nothing of it is printed.
    """

    means: dict[str, pd.DataFrame] = field(default_factory=dict)
    wins: dict[str, frozenset[Pair]] = field(default_factory=dict)
    held_back: Callable[[str], pd.DataFrame] | None = None


@dataclass(frozen=True)
class Conclusion:
    """A sentence of a paper's text, and a rule that judges tables by it.

    Parameters
    ----------
    says : str
        What the paper concludes, in our words.
    where : str
        The section, and a word or two of its sentence.
    rule : str
        When it holds, in words.
    judge : callable
        Takes `Tables`, and the limit if there is one; returns an `Answer`. None where nothing can be judged.
    printed : str
        Why the rule cannot be applied to the printed tables; empty if it can.
    limit : float, optional
        The number of the rule that the paper does not give.
    """

    says: str
    where: str
    rule: str
    judge: Callable[..., Answer] | None
    printed: str = ""
    limit: float | None = None

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
