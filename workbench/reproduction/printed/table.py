"""One printed table: its cells, the score of a study that they are of, and other scores that may be meant."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf

import pandas as pd

from workbench.base.errors import WorkbenchError, nearest
from workbench.base.score_key import ScoreKey

__all__ = [
    "COMPARING",
    "DRAWN",
    "PrintedTable",
    "STATISTICS",
    "ScoreAblation",
    "UNITS",
    "check_keys",
    "check_word",
    "score_of",
]

#: The statistics, and how many units each needs at least.
STATISTICS = {
    "mean": 1, "half_width": 2, "correlation": 3, "difference": 1, "contrast": 1, "significance": 0,
    "size": 0,
}  # fmt: skip
#: Statistics of several learners on the same units.
COMPARING = ("difference", "contrast")
#: Statistics that are judged by draws of ours.
DRAWN = ("mean", "half_width", "correlation", *COMPARING)
#: Differences below which a value is near, in the printed unit: of per cent, and else.
NEAR_PERCENT, NEAR = 2.0, 0.02
UNITS = ("split", "replication", "half")
SCALES = ("none", "nats", "nats_times_classes", "percent")
FACTS = ("n_train", "n_test", "n_attributes", "n_classes", "majority_share")
MISSING = ("none", "unknown_if_later")
DOUBTFUL = ("unknown", "judged")
ABLATION_KEYS = ("name", "tables", "score")


def score_of(table: object, what: str) -> ScoreKey:
    """Read the key of a score from the parts in a table of TOML; parts that are left out stay open."""
    if not isinstance(table, Mapping):
        raise WorkbenchError(f'{what} is {table!r}: expected {{ metric = "KEY", ... }}')
    found = {key: table[key] for key in ScoreKey._fields if key in table}
    if "metric" not in found:
        raise WorkbenchError(f'{what} names no metric: add metric = "KEY", such as "accuracy"')
    for key, value in found.items():
        if not isinstance(value, str):
            raise WorkbenchError(f"{what} has {key} = {value!r}: expected text")
    return ScoreKey(**found)


@dataclass(frozen=True, eq=False)
class PrintedTable:
    """What a paper prints in one table, or in one kind of number of a table."""

    # statistic, of a study's units: "mean"; "half_width", 1.96 standard deviations; "correlation", Pearson's,
    # of two scores; "difference" of the means of two learners; "contrast", a learner's mean less the mean of
    # all learners of the data set (k of them sum to zero, so that k - 1 are free, as of the k (k - 1) / 2
    # differences); "significance", the outcome of Dietterich's 5x2cv t test; "size", a fact of the data set.
    # cells, one row each: dataset, learner, other (keys; empty where there is none), printed, low, high (what
    # is printed so), doubt, unknown (why it cannot be judged), open (whether a significant win of `other`
    # would not have been printed), among (of contrasts: the keys of all learners of the data set), printed_as
    # (the paper's names of data set, learner, other).
    name: str
    statistic: str
    cells: pd.DataFrame = field(repr=False)
    score: ScoreKey | None = None  # None for sizes
    other_score: ScoreKey | None = None  # the second of a correlation
    units: int = 1  # number of units of the published statistic
    unit: str = "split"  # or "replication", the mean of its folds, or "half"
    # of our values: "none"; "nats", ln 2; "nats_times_classes", ln 2 times their number; "percent", 100
    scale: str = "none"
    fact: str = ""  # of sizes: "n_train", "n_test", "n_attributes", "n_classes", "majority_share"
    # less is near, in the printed unit; by default 0.02, 2 of per cent; of drawn statistics only
    near: float | None = None

    def __post_init__(self) -> None:
        least = STATISTICS[self.statistic]
        if isinstance(self.units, bool) or not isinstance(self.units, int) or self.units < least:
            raise WorkbenchError(
                f"table {self.name!r} has units = {self.units!r}: a {self.statistic} needs a whole number, "
                f"{least} or more"
            )
        self._check_near()
        known = {"unit": UNITS, "scale": SCALES}
        if self.statistic == "size":
            known["fact"] = FACTS
        for key, words in known.items():
            check_word(getattr(self, key), words, key, f"table {self.name!r}")

    def _check_near(self) -> None:
        if self.near is None:
            return
        if self.statistic not in DRAWN:
            raise WorkbenchError(
                f"table {self.name!r} has near = {self.near!r}: a {self.statistic} agrees or differs, so "
                "leave it out"
            )
        if isinstance(self.near, bool) or not isinstance(self.near, int | float) or not 0 <= self.near < inf:
            raise WorkbenchError(
                f"table {self.name!r} has near = {self.near!r}: expected a difference in the printed unit, "
                f"such as {NEAR}, or 0 for none"
            )

    @property
    def is_percent(self) -> bool:
        """Whether the cells are in per cent; a correlation has no unit."""
        return self.scale == "percent" and self.statistic != "correlation"

    @property
    def threshold(self) -> float:
        """The difference below which a cell is near; 0 for none."""
        if self.statistic not in DRAWN:
            return 0.0
        if self.near is not None:
            return float(self.near)
        return NEAR_PERCENT if self.is_percent else NEAR


def check_word(word: object, known: Iterable[str], kind: str, what: str) -> None:
    """Raise WorkbenchError if a word of some kind is unknown."""
    known = list(known)
    if word not in known:
        raise WorkbenchError(f"unknown {kind} {word!r} of {what}; {nearest(word, known)}")


def check_keys(table: Iterable[str], known: Iterable[str], what: str) -> None:
    """Raise WorkbenchError if a key is unknown."""
    known = list(known)
    for key in table:
        if key not in known:
            raise WorkbenchError(f"unknown key {key!r} of {what}; {nearest(key, known)}")


@dataclass(frozen=True)
class ScoreAblation:
    """Another score that a paper may mean in some of its tables."""

    name: str
    tables: tuple[str, ...]  # the names of the printed tables that it is of
    score: Mapping[str, str]  # parts of the key that differ from the tables' own: metric, prior, rows, cutoff

    @classmethod
    def of(cls, entry: object, tables: Sequence[PrintedTable]) -> "ScoreAblation":
        """Read an ablation from a table of TOML."""
        if not isinstance(entry, Mapping):
            raise WorkbenchError(
                f"an ablation is {entry!r}: expected [[ablations]] with {', '.join(ABLATION_KEYS)}"
            )
        check_keys(entry, ABLATION_KEYS, "an ablation")
        for key in ABLATION_KEYS:
            if key not in entry:
                raise WorkbenchError(
                    f"an ablation has no {key!r}: every ablation needs {', '.join(ABLATION_KEYS)}"
                )
        name, of, score = (entry[key] for key in ABLATION_KEYS)
        if not isinstance(name, str):
            raise WorkbenchError(f"an ablation has name = {name!r}: expected words")
        scored = [table.name for table in tables if table.score is not None]
        if not isinstance(of, list) or not of:
            raise WorkbenchError(f"the ablation {name!r} has tables = {of!r}: expected a list of table names")
        for one in of:
            if one not in scored:
                raise WorkbenchError(
                    f"unknown table {one!r} of the ablation {name!r}, or one without a score; "
                    f"{nearest(one, scored)}"
                )
        if not isinstance(score, Mapping) or not score:
            raise WorkbenchError(
                f'the ablation {name!r} has score = {score!r}: expected {{ metric = "KEY" }}'
            )
        check_keys(score, ScoreKey._fields, f"the score of the ablation {name!r}")
        for key, word in score.items():
            if not isinstance(word, str):
                raise WorkbenchError(f"the ablation {name!r} has {key} = {word!r}: expected text")
        return cls(name, tuple(of), dict(score))

    def applied_to(self, table: PrintedTable) -> PrintedTable:
        """Return a table with the other score; of a correlation it replaces the first."""
        assert table.score is not None  # of sizes there is no ablation
        return replace(table, score=table.score._replace(**self.score))
