"""Apply the rules to the printed tables, to ours, and to studies as small as the paper's drawn from ours."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import stdtrit

from conclusions.outcome import Conclusion, Pair, Tables, turned_orders
from workbench.base.score_key import ScoreKey
from workbench.comparisons import LEVEL
from workbench.reproduction import Reproduction
from workbench.reproduction.judging.tested_cells import FIVE, t_values
from workbench.reproduction.printed.table import NEAR, PrintedTable
from workbench.reproduction.units import HasUnits, half_differences, side_by_side

__all__ = ["Studies", "Verdict", "judged", "turned_by_chance"]

#: Pairs of learners, and their differences, shape (n_replications, 2, n_pairs).
Differences = tuple[list[tuple[str, str]], NDArray[np.float64]]

N_DRAWS = 200
#: Factors of a rule's limit, to see what hangs on it.
OTHER_LIMITS = (0.8, 1.2)
LEVELS = ("mean", "contrast", "correlation")
#: The number of classes, a factor of some rewards, changes no order of learners.
FACTORS = {"percent": 100.0, "nats": float(np.log(2))}


@dataclass(frozen=True)
class Verdict:
    """What became of a conclusion."""

    conclusion: Conclusion
    printed: bool | None  # whether it holds in the printed tables; None if that cannot be judged
    ours: bool | None
    printed_figures: str
    our_figures: str
    share: float  # of studies as small as the paper's, drawn from ours, in which it holds
    #: By a factor of the rule's limit, the tables ("printed", "ours") whose answer it turns.
    turned: dict[float, tuple[str, ...]] = field(default_factory=dict)


def judged(conclusions: Sequence[Conclusion], studies: "Studies") -> list[Verdict]:
    """Judge every conclusion."""
    printed, ours = studies.printed, studies.tables(None)
    verdicts = []
    for one in conclusions:
        if one.judge is None:
            verdicts.append(Verdict(one, None, None, one.printed, "", float("nan")))
            continue
        try:
            own = one.answer(ours)
            share = float(np.mean([one.answer(tables).holds for tables in studies.small]))
        except KeyError as missing:  # failed cells have left it out
            verdicts.append(Verdict(one, None, None, "", f"ours lacks {missing}", float("nan")))
            continue
        there = None if one.printed else one.answer(printed)
        figures = there.figures if there else one.printed
        turned = _turned(one, {"ours": ours} if one.printed else {"printed": printed, "ours": ours})
        holds = there and there.holds
        verdicts.append(Verdict(one, holds, own.holds, figures, own.figures, share, turned))
    return verdicts


def turned_by_chance(studies: "Studies", table: str) -> float:
    """Return the share of the orders of two learners that two studies as small as the paper's turn."""
    small = [tables.means[table] for tables in studies.small]
    return float(np.mean([turned_orders(*two) for two in zip(small[::2], small[1::2], strict=True)]))


def _turned(one: Conclusion, tables: Mapping[str, Tables]) -> dict[float, tuple[str, ...]]:
    """Return which tables answer otherwise with another limit."""
    if one.limit is None:
        return {}
    return {
        factor: tuple(
            word for word, own in tables.items() if one.answer(own, factor).holds != one.answer(own).holds
        )
        for factor in OTHER_LIMITS
    }


@dataclass(frozen=True, eq=False)
class _Levels:
    """The units of a table of means or correlations: by data set the learners and their values."""

    table: PrintedTable
    units: Mapping[str, tuple[list[str], NDArray[np.float64]]]

    def frame(self, number: int | None) -> pd.DataFrame:
        """Return the table of all units, or of as many as the paper has, drawn with replacement."""
        rows = {}
        for dataset, (learners, values) in self.units.items():
            own = values if number is None else values[self._drawn(number, len(values))]
            rows[dataset] = pd.Series(self._statistic(own), learners)
        return pd.DataFrame(rows).T

    def _drawn(self, number: int, n: int) -> NDArray[np.int64]:
        """Return the units of a drawn study: the same splits or replications for all its tables."""
        if self.table.unit != "half":
            return _places(number, n, self.table.units)
        replications = _places(number, n // 2, max(self.table.units, FIVE))[: self.table.units]
        halves = np.random.default_rng([number, n, 1]).integers(0, 2, self.table.units)
        return 2 * replications + halves

    def _statistic(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        if self.table.statistic != "correlation":
            return values.mean(axis=0) * FACTORS.get(self.table.scale, 1.0)
        x, y = values[..., 0], values[..., 1]
        x, y = x - x.mean(axis=0), y - y.mean(axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            return (x * y).sum(axis=0) / np.sqrt((x**2).sum(axis=0) * (y**2).sum(axis=0))


def _places(number: int, n: int, size: int) -> NDArray[np.int64]:
    """Return the places of a drawn study among n splits or replications."""
    return np.random.default_rng([number, n]).integers(0, n, size)


@dataclass(frozen=True, eq=False)
class Studies:
    """The printed tables, ours, and small studies drawn from ours."""

    found: Reproduction
    measured: HasUnits  # the scores that ours are made of
    _shares: dict[str, pd.DataFrame] = field(default_factory=dict, repr=False)

    @cached_property
    def small(self) -> list[Tables]:
        """Studies as small as the paper's."""
        return [self.tables(number) for number in range(1, N_DRAWS + 1)]

    @property
    def printed(self) -> Tables:
        """The tables of the paper."""
        means, wins = {}, {}
        for table in self.found.printed.tables:
            own = table.cells[table.cells["unknown"] == ""]
            if table.statistic in LEVELS:
                means |= self._named(table, own.pivot(index="dataset", columns="learner", values="printed"))
            elif table.statistic == "significance":
                won = own[own["printed"] == 1]
                wins |= self._named(table, _pairs(won[["dataset", "learner", "other"]].to_numpy()))
        return Tables(means, wins)

    def tables(self, number: int | None) -> Tables:
        """Return ours, or with a number those of a drawn study as small as the paper's."""
        means, wins = {}, {}
        for levels in self._levels:
            means |= self._named(levels.table, levels.frame(number))
        for table, differences in self._differences:
            wins |= self._named(table, _significant(differences, number))
        return Tables(means, wins, self._held_back)

    def _named(self, table: PrintedTable, value: object) -> dict:
        """Return a value by the name of a table, and by what stands before its colon if that is unique."""
        first = table.name.partition(":")[0]
        same = [one for one in self.found.printed.tables if one.name.partition(":")[0] == first]
        return {table.name: value} | ({first: value} if len(same) == 1 else {})

    @cached_property
    def _levels(self) -> list[_Levels]:
        return [
            _Levels(table, dict(self._of(table)))
            for table in self.found.printed.tables
            if table.statistic in LEVELS
        ]

    def _held_back(self, name: str) -> pd.DataFrame:
        """Return the share of parts on which the cut-off of a table changes its score."""
        if name not in self._shares:
            table = next(one for one in self.found.printed.tables if one.name.partition(":")[0] == name)
            scores = (table.score, table.score._replace(cutoff="none"))
            shares = {
                dataset: {key: self._changed(str(dataset), key, scores) for key in cells["learner"]}
                for dataset, cells in table.cells.groupby("dataset", sort=False)
            }
            self._shares[name] = pd.DataFrame(shares).T
        return self._shares[name]

    def _changed(self, dataset: str, learner: str, scores: Sequence[ScoreKey]) -> float:
        one, other = (self.measured.column(dataset, learner, score).values for score in scores)
        return float((one - other).abs().ge(NEAR).mean())

    def _of(self, table: PrintedTable):
        scores = [score for score in (table.score, table.other_score) if score is not None]
        for dataset, cells in table.cells.groupby("dataset", sort=False):
            learners = list(cells["learner"])
            own = side_by_side(
                self.measured, dataset, [(key, one) for key in learners for one in scores], table.unit
            )
            if not own.why:
                shape = (len(own.values), len(learners), len(scores))
                yield dataset, (learners, own.values.reshape(shape) if len(scores) > 1 else own.values)

    @cached_property
    def _differences(self) -> list[tuple[PrintedTable, dict[str, Differences]]]:
        """The differences of pairs of learners on both halves, by table and data set."""
        found = []
        for table in self.found.printed.tables:
            if table.statistic != "significance":
                continue
            sign = self.found.results.metric(table.score.metric).sign
            by_set: dict[str, Differences] = {}
            for dataset, cells in table.cells.groupby("dataset", sort=False):
                pairs = [(one.learner, one.other) for one in cells.itertuples()]
                own = [half_differences(self.measured, dataset, pair, table.score) for pair in pairs]
                kept = [i for i, one in enumerate(own) if not one.why]
                if kept:
                    values = sign * np.stack([own[i].values for i in kept], axis=2)
                    by_set[dataset] = ([pairs[i] for i in kept], values)
            found.append((table, by_set))
        return found


def _significant(differences: Mapping[str, Differences], number: int | None) -> frozenset[Pair]:
    """Return who is significantly better: in one drawn test, or in most of many."""
    critical = -stdtrit(FIVE, LEVEL / 2)
    found = []
    for dataset, (pairs, values) in differences.items():
        n = len(values)
        n_sets = N_DRAWS if number is None else 1
        sets = _places(number or 0, n, n_sets * FIVE).reshape(n_sets, FIVE)
        t = t_values(values, sets)
        for (first, second), own in zip(pairs, t.T, strict=True):
            if np.mean(own > critical) > 0.5:
                found.append((dataset, first, second))
            elif np.mean(own < -critical) > 0.5:
                found.append((dataset, second, first))
    return _pairs(found)


def _pairs(rows) -> frozenset[Pair]:
    return frozenset(Pair(*map(str, row)) for row in rows)
