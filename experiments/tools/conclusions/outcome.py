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
    """

    means: dict[str, pd.DataFrame] = field(default_factory=dict)
    wins: dict[str, frozenset[Pair]] = field(default_factory=dict)


@dataclass(frozen=True)
class Conclusion:
    """A sentence of a paper's text, and a rule that judges tables by it.

    Parameters
    ----------
    says : str
        What the paper concludes, in our words.
    rule : str
        When it counts as borne out, in words.
    judge : callable
        Takes `Tables`, returns an `Answer`. None where nothing here can be judged.
    printed : str
        Why the rule cannot be applied to the printed tables; empty if it can.
    """

    says: str
    rule: str
    judge: Callable[[Tables], Answer] | None
    printed: str = ""


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
