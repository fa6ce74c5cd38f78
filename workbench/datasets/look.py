"""Checks of a data set: properties of columns and rows that would mislead learners or users."""

import math
import re
from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from generators.tables.cells import kind_of
from generators.tables.columns import codes_as_met, sorted_classes
from workbench.base.text import count_of, truncate
from workbench.datasets._shared.findings import (
    CodesForMissingWarning,
    GiveawayColumnWarning,
    LargeGroupWarning,
    NumbersAsTextWarning,
    OrderedColumnWarning,
    RepeatedRowsWarning,
    RowNamesWarning,
    SingleRowClassWarning,
    TableFinding,
    UninformativeColumnWarning,
    WaysOut,
    WordsAmongNumbersWarning,
)
from workbench.datasets.delimited.numbers import is_number

__all__ = ["TableLook"]

#: Distinct values, as a share of its cells, above which a column that holds no numbers names rows; and the
#: fewest rows of which this can be said.
NAMING, LEAST_NAMED = 0.9, 20
#: Distinct numbers above which a column of text is one of numbers, most words among them, and their
#: largest share.
MANY_NUMBERS, MOST_WORDS, MOST_OF_WORDS = 10, 8, 0.5
#: Share of rows above which copies are worth a note, and as a multiple of those that come by chance.
COPIED, BY_CHANCE = 0.05, 2
#: Distinct values of some column, as a share of the rows, without which rows repeat as a matter of course.
VARIED = 0.2
#: A column gives the class away with fewer faults than this share of the rows, and than this share of
#: those of
#: the most frequent class.
FAULTS, OF_THE_USUAL, LEAST_GIVEN = 0.01, 0.1, 50
#: Numbers that stand for missing values: below zero where nothing else is, and above this multiple of all
#: others, of which there must be a few.
BELOW = (-1, -7, -8, -9, -77, -88, -97, -98, -99, -777, -888, -997, -998, -999, -9999, -99999)
ABOVE = (77, 88, 97, 98, 99, 777, 888, 997, 998, 999, 7777, 8888, 9997, 9998, 9999, 99999, 999999)
APART, LEAST_VALUES = 3, 3
#: Rows that are looked at where each is compared with others, and columns that are looked at.
MOST, MOST_COLUMNS = 20_000, 1_000
#: Share of the rows above which a group makes parts unequal: there are five folds where no design is named.
LARGE_GROUP = 0.3
#: The days that numbers such as 20240131 may name.
FIRST_DAY, LAST_DAY = 19_000_101, 21_001_231
NAME_OF_ROWS = re.compile(r"(?:.*[_\W])?(?:id|ids|idx|index|uuid|row|rownum|nr|no|number)|unnamed: 0")
#: The same of a column of whole numbers in which none occurs twice.
NAME_OF_DISTINCT = re.compile(r".*(?:id|ids|idx|index|nr|no|num|number)|unnamed: 0")
NAME_OF_OWNERS = re.compile(
    r".*(?:patient|subject|person|pers|participant|customer|client|user|household|donor|animal|proband|teilnehmer|haushalt|vpn?|pid)(?:[_\W]?(?:id|no|nr|code|key))?"
)
YEARS = re.compile("year|jahr|time|zeit|date|datum")
UNIT = re.compile(
    r"(?:(?P<before>[A-Za-z\u20ac$]{1,4}) )?[+-]?[0-9][0-9.,']*-?"
    r"(?: (?P<behind>[A-Za-z\u00b0\u00b2\u00b3\u00b5/%\u20ac$]{1,8}))?"
)
DATE = re.compile(
    r"\d{4}-\d\d?-\d\d?(?:[T ].*)?|\d{4}/\d\d?/\d\d?.*|\d\d?[./-]\d\d?[./-](?:\d\d|\d{4})(?: .*)?"
    r"|\d\d?[-. ][A-Za-z]{3,9}[-. ]\d{2,4}|\d{4}-\d\d"
)


@dataclass(frozen=True, eq=False)
class TableLook:
    """The rows that are checked, and the findings."""

    X: pd.DataFrame
    codes: NDArray[np.intp]
    classes: tuple[Any, ...]
    nominal: Collection[str] = ()  # columns that a user declared nominal
    groups: NDArray[np.intp] | None = None  # code of each row's group
    of_file: bool = False  # whether options of a file are the way out

    def __post_init__(self) -> None:
        if self.X.shape[1] > MOST_COLUMNS:
            object.__setattr__(self, "X", self.X.iloc[:, :MOST_COLUMNS])

    @property
    def _out(self) -> WaysOut:
        return WaysOut(self.of_file)

    @property
    def findings(self) -> Iterator[TableFinding]:
        """Yield each finding once."""
        yield from self._row_names()
        yield from self._owners()
        yield from self._written.values()
        yield from self._codes_for_missing()
        yield from self._codes_among_classes()
        yield from self._ordered()
        yield from self._uninformative()
        yield from self._single_rows()
        yield from self._large_groups()
        yield from self._copies()
        yield from self._giveaways()

    @cached_property
    def variety(self) -> dict[Hashable, float]:
        """Distinct values as a share of its cells, for each column that has neither numbers nor codes."""
        return {
            name: own.nunique() / max(int(own.notna().sum()), 1)
            for name, own in self.X.select_dtypes(exclude="number").items()
            if kind_of(getattr(own.dtype, "categories", own).dtype) not in ("bool", "numbers")
        }

    @cached_property
    def naming(self) -> list[Hashable]:
        """Columns that identify rows: nearly each has a distinct text, or a number that counts rows."""
        if len(self.X) < LEAST_NAMED:
            return []
        texts = [
            name
            for name, share in self.variety.items()
            if share > NAMING and self.X[name].notna().sum() >= LEAST_NAMED
        ]
        return [name for name in self.X if name in texts or self._counts_rows(name)]

    def _counts_rows(self, name: Hashable) -> bool:
        numbers = self._whole(name)
        if numbers is None:
            return False
        first, last = int(numbers.min()), int(numbers.max())
        if pd.api.types.is_float_dtype(self.X[name].dtype) and len(numbers) < LEAST_GIVEN:
            return False  # a few numbers in order may be measured
        counts = last - first == len(numbers) - 1 and not YEARS.search(str(name).lower())
        named_so = NAME_OF_DISTINCT.fullmatch(str(name).strip().lower())
        return bool((counts or named_so) and len(np.unique(numbers)) == len(numbers))

    def _whole(self, name: Hashable) -> NDArray[np.float64] | None:
        """Return a column of whole numbers without missing values, of any type, or None for others."""
        if kind_of(self.X[name].dtype) != "numbers" or self.X[name].isna().any():
            return None
        numbers = self.X[name].to_numpy(dtype=np.float64)
        return numbers if (numbers == np.floor(numbers)).all() else None

    @cached_property
    def _texts(self) -> list[Hashable]:
        return [name for name, own in self.X.items() if kind_of(own.dtype) == "labels"]

    @cached_property
    def dates(self) -> list[Hashable]:
        """Columns of dates written as text, or as numbers such as 20240131."""
        return [name for name in self.X if self._holds_dates(name)]

    def _holds_dates(self, name: Hashable) -> bool:
        if name in self._texts:
            return _all_dates(self.X[name])
        numbers = self._whole(name)
        if numbers is None or numbers.min() < FIRST_DAY or numbers.max() > LAST_DAY:
            return False
        months, days = numbers // 100 % 100, numbers % 100
        return bool(((months >= 1) & (months <= 12) & (days >= 1) & (days <= 31)).all())

    def _row_names(self) -> Iterator[TableFinding]:
        if self.dates:
            what = _verb(self.dates, "holds", "hold")
            yield TableFinding(
                RowNamesWarning,
                f"{what} dates, which learners treat as categories: convert them to numbers, such as days, "
                f"or leave them out{self._out.drop(self.dates)}",
            )
        others = [name for name in self.naming if name not in self.dates and name not in self._written]
        if others:
            what = _verb(others, "identifies", "identify")
            yield TableFinding(
                RowNamesWarning,
                f"{what} rows, as nearly all values are distinct: leave {_them(others)} out"
                f"{self._out.drop(others)}",
            )

    @cached_property
    def owners(self) -> list[Hashable]:
        """Columns whose names suggest the owner of rows, with several rows of each."""
        found = []
        for name in self.X:
            word = str(name).strip().lower()
            is_owner = NAME_OF_OWNERS.fullmatch(word) is not None
            if not (is_owner or NAME_OF_ROWS.fullmatch(word)) or name in self.naming:
                continue
            if kind_of(self.X[name].dtype) == "numbers" and self._whole(name) is None:
                continue
            n = self.X[name].nunique()
            if n > (2 if is_owner else MANY_NUMBERS) and n > len(self.classes) and 2 * n <= len(self.X):
                found.append(name)
        return found

    def _owners(self) -> Iterator[TableFinding]:
        for name in self.owners:
            n = self.X[name].nunique()
            yield TableFinding(
                RepeatedRowsWarning,
                f"column {name!r} has {n} values in {len(self.X)} rows and may identify rows that "
                f'belong together: groups = "{name}" keeps these rows in one part. Otherwise leave the '
                f"column out{self._out.drop([name])}",
            )

    @cached_property
    def _written(self) -> dict[Hashable, TableFinding]:
        """Columns of text that have numbers, each with a remedy."""
        names = [name for name in self._texts if str(name) not in self.nominal]
        return {name: found for name in names if (found := self._numbers_in_text(name)) is not None}

    def _numbers_in_text(self, name: Hashable) -> TableFinding | None:
        counts = {str(value): n for value, n in self.X[name].iloc[:MOST].value_counts().to_dict().items()}
        numbers = [value for value in counts if is_number(value)]
        words = [value for value in counts if not is_number(value)]
        n_words = sum(counts[word] for word in words)
        if not words and len(numbers) > MANY_NUMBERS:
            example = next((value for value in numbers if not value.isdecimal()), numbers[0])
            return TableFinding(NumbersAsTextWarning, self._as_text(name, example))
        if not numbers and len(words) > MANY_NUMBERS and _have_one_unit(words):
            return TableFinding(NumbersAsTextWarning, self._as_text(name, words[0]))
        # a few numbers may be codes, and a word with a digit such as 3+ is one of them
        is_scale = len(numbers) > 2 and not any(any(map(str.isdigit, word)) for word in words)
        is_many = len(numbers) > MANY_NUMBERS or is_scale
        if words and is_many and len(words) <= MOST_WORDS and n_words <= MOST_OF_WORDS * sum(counts.values()):
            return TableFinding(
                WordsAmongNumbersWarning,
                f"column {name!r} has numbers except {', '.join(map(repr, words))} in "
                f"{count_of(n_words, 'row')}, so learners treat it as categories: "
                f"{self._out.missing(words)}",
            )
        return None

    def _as_text(self, name: Hashable, example: str) -> str:
        how = 'name their notation (decimal = "." or ",")' if self.of_file else "convert them to numbers"
        return (
            f"column {name!r} has numbers written as {example!r}, which learners treat as categories: {how}, "
            f"or write them as plain numbers. If they are codes, {self._out.nominal(name)}"
        )

    def _codes_for_missing(self) -> Iterator[TableFinding]:
        for name, column in self.X.select_dtypes("number").items():
            numbers = column.to_numpy(dtype=np.float64, na_value=np.nan)
            found, others = _codes_apart(numbers[~np.isnan(numbers)])
            if found:
                words = [f"{code:g}" for code in found]
                yield TableFinding(
                    CodesForMissingWarning,
                    f"column {name!r} has {' and '.join(words)} in "
                    f"{count_of(sum(found.values()), 'row')}, far from all other numbers "
                    f"({others.min():g} to {others.max():g}), as codes for missing values are: "
                    f"{self._out.missing(words)}",
                )

    def _codes_among_classes(self) -> Iterator[TableFinding]:
        odd = [one for one in self.classes if str(one) in map(str, (*BELOW, *ABOVE))]
        if odd and len(self.classes) - len(odd) > 1:
            yield TableFinding(
                CodesForMissingWarning,
                f"the class has the {'value' if len(odd) == 1 else 'values'} {', '.join(map(repr, odd))}, "
                f"as codes for missing values are: {self._out.missing([str(one) for one in odd])}, and "
                "leave these rows out",
            )

    def _ordered(self) -> Iterator[TableFinding]:
        names = [name for name, own in self.X.items() if getattr(own.dtype, "ordered", False)]
        if names:
            yield TableFinding(
                OrderedColumnWarning,
                f"{_verb(names, 'has', 'have')} ordered categories, whose order the learners ignore: "
                "convert them to numbers (.cat.codes) if the order matters",
            )

    def _uninformative(self) -> Iterator[TableFinding]:
        # one value and missing values may be informative
        few = [name for name, own in self.X.items() if own.iloc[:LEAST_NAMED].nunique() < 2]
        whole = [name for name in few if self.X[name].isna().all() or self.X[name].notna().all()]
        n_values = {name: self.X[name].nunique() for name in whole}
        for n, what in ((0, "no value"), (1, "a single value")):
            names = [name for name, own in n_values.items() if own == n]
            if names:
                yield TableFinding(
                    UninformativeColumnWarning,
                    f"{_verb(names, 'has', 'have')} {what}: leave {_them(names)} out{self._out.drop(names)}",
                )

    def _single_rows(self) -> Iterator[TableFinding]:
        if self.groups is None:
            counts, what = np.bincount(self.codes, minlength=len(self.classes)), "row"
        else:
            pairs = np.unique(np.column_stack([self.codes, self.groups]), axis=0)
            counts, what = np.bincount(pairs[:, 0], minlength=len(self.classes)), "group"
        single = [repr(self.classes[k]) for k in np.flatnonzero(counts == 1)]
        if single:
            which = f"class {single[0]} has" if len(single) == 1 else f"classes {truncate(single, 5)} have"
            yield TableFinding(
                SingleRowClassWarning,
                f"{which} a single {what}, which cannot be in both training and test rows: drop it, or "
                "merge it with another class",
            )

    def _large_groups(self) -> Iterator[TableFinding]:
        if self.groups is None:
            return
        share = float(np.bincount(self.groups).max()) / len(self.groups)
        if share > LARGE_GROUP:
            yield TableFinding(
                LargeGroupWarning,
                f"one group has {share:.0%} of the rows, so parts have very unequal sizes, and tests exceed "
                "their error rate: interpret p values with care, or leave the group out",
            )

    @cached_property
    def n_copies(self) -> int:
        """Number of rows that repeat another one, if more do than by chance, otherwise 0."""
        if len(self.X) < LEAST_GIVEN:
            return 0
        columns = [codes_as_met(own)[0] for _, own in self.X.iloc[:MOST].items()]
        coded = np.column_stack([self.codes[:MOST], *columns])
        if coded[:, 1:].max() < VARIED * len(coded):
            return 0  # few values in all columns repeat together
        copies = len(coded) - len(np.unique(coded, axis=0))
        least = max(COPIED * len(coded), BY_CHANCE * _pairs_by_chance(coded))
        return copies if copies > least else 0

    def _copies(self) -> Iterator[TableFinding]:
        if self.n_copies:
            n_rows = min(len(self.X), MOST)
            yield TableFinding(
                RepeatedRowsWarning,
                f"{count_of(self.n_copies, 'row')} of {n_rows:,} are copies of others, so that the same row "
                "may occur in training and in test rows: drop copies that are not separate observations, or "
                "name the column that identifies rows that belong together (groups = ...)",
            )

    def _giveaways(self) -> Iterator[TableFinding]:
        # of rows that belong together one: the others give each other away
        firsts = (
            np.arange(len(self.X)) if self.groups is None else np.unique(self.groups, return_index=True)[1]
        )
        rows = firsts[np.unique(np.linspace(0, len(firsts) - 1, MOST).astype(np.intp))]
        if len(rows) < LEAST_GIVEN:
            return
        X, codes = self.X.iloc[rows], self.codes[rows]
        counts = np.bincount(codes)
        most = min(FAULTS * len(codes), OF_THE_USUAL * (len(codes) - int(counts.max())))
        known = {*self.naming, *self.owners}
        names = [name for name, own in X.items() if name not in known and _faults(own, codes) <= most]
        if names:
            yield TableFinding(
                GiveawayColumnWarning,
                f"{_verb(names, 'predicts', 'each predict')} the class of more than 99 in 100 "
                f"rows: if {'its' if len(names) == 1 else 'their'} values become known only with the class, "
                f"leave {_them(names)} out{self._out.drop(names)}",
            )


def _verb(names: Sequence[Hashable], one: str, several: str) -> str:
    """Name columns with a verb."""
    what = truncate([repr(name) for name in names], 5)
    return f"column {what} {one}" if len(names) == 1 else f"columns {what} {several}"


def _them(names: Sequence[Hashable]) -> str:
    return "it" if len(names) == 1 else "them"


def _pairs_by_chance(coded: NDArray[np.int64]) -> float:
    """Return the expected number of pairs of equal rows if columns were independent given the class."""
    pairs = 0.0
    for own in (coded[coded[:, 0] == k] for k in np.unique(coded[:, 0])):
        n = max(len(own), 2)
        equal = [(np.square(np.bincount(column + 1)).sum() - n) / (n * (n - 1)) for column in own[:, 1:].T]
        pairs += n * (n - 1) / 2 * float(np.prod(np.clip(equal, 0, 1)))
    return pairs


def _all_dates(column: pd.Series) -> bool:
    known = column.dropna().iloc[:50]
    return len(known) > 1 and all(isinstance(value, str) and DATE.fullmatch(value) for value in known)


def _have_one_unit(words: Sequence[str]) -> bool:
    """Return whether words are numbers with the same unit before or after each."""
    found = [UNIT.fullmatch(word) for word in words]
    units = {match.groups() if match else None for match in found}
    return len(units) == 1 and units.isdisjoint({None, (None, None)})


def _codes_apart(numbers: NDArray[np.float64]) -> tuple[dict[float, int], NDArray[np.float64]]:
    """Return the numbers that represent missing values, with the count of each, and all others."""
    none: tuple[dict[float, int], NDArray[np.float64]] = ({}, numbers)
    if not len(numbers) or (numbers.min() >= 0 and numbers.max() < min(ABOVE)):
        return none
    below = numbers < 0
    if below.any() and not np.isin(numbers[below], BELOW).all():
        return none
    is_code = below | (np.isin(numbers, ABOVE) & (numbers > APART * max(1.0, _usual_most(numbers))))
    others, coded = numbers[~is_code], numbers[is_code]
    if not len(coded) or len(coded) > len(others) or len(np.unique(others[:MOST])) < LEAST_VALUES:
        return none
    if set(coded) == {-1.0} and others.min() < 1:
        return none  # -1, 0 and 1 follow each other
    return {float(code): int((coded == code).sum()) for code in np.unique(coded)}, others


def _usual_most(numbers: NDArray[np.float64]) -> float:
    """Return the largest of the numbers that are not codes."""
    usual = numbers[~np.isin(numbers, ABOVE)]
    return float(usual.max()) if len(usual) else math.inf


def _faults(column: pd.Series, codes: NDArray[np.intp]) -> int:
    """Count rows whose class is not that of the other rows of their value, or the nearest of a number."""
    if kind_of(column.dtype) != "numbers":
        counts = _counts(codes_as_met(column)[0], codes)
        return len(codes) - int(counts.max(axis=1).sum()) + int((counts.sum(axis=1) == 1).sum())
    numbers = column.to_numpy(dtype=np.float64, na_value=np.nan)
    known = ~np.isnan(numbers)
    counts = _counts(sorted_classes(numbers[known])[1], codes[known])
    usual = counts.argmax(axis=1)
    before, after = np.r_[-1, usual[:-1]], np.r_[usual[1:], -1]
    # a value that recurs, as all rows of a patient have it, tells no more than one row does
    apart = (usual != before) & (usual != after)
    n_values = len(usual)
    alone = len(codes) * apart.sum() / n_values if n_values > MANY_NUMBERS else 0
    missing = np.bincount(codes[~known], minlength=1)
    return len(codes) - int(counts.max(axis=1).sum() + missing.max()) + int(alone)


def _counts(values: NDArray[np.intp], codes: NDArray[np.intp]) -> NDArray[np.intp]:
    """Count the classes of each value. Missing values, -1, are the last."""
    counts = np.zeros((int(values.max(initial=-1)) + 2, int(codes.max(initial=0)) + 1), dtype=np.intp)
    np.add.at(counts, (values, codes), 1)
    return counts
