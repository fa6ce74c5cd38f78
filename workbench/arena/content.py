"""The content of the pages of the arena, as plain data."""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from workbench.arena.leaderboard import (
    SHARED,
    Board,
    View,
    board,
    contestants,
    part_of,
    views,
)
from workbench.arena.words import basis, elsewhere, headline, own_part, part_words, ratio_words, size_words
from workbench.base.errors import WorkbenchError
from workbench.base.names import learner_name
from workbench.base.text import count_of
from workbench.profiles.entrants import Entrant
from workbench.profiles.scores import CEILINGS, SuiteScores
from workbench.profiles.words import duration, kind_words, rank_words

__all__ = ["UNIT_OF_COST", "ArenaContent", "BoardCell", "BoardColumn", "Entry", "arena_content", "file_of"]

#: The learner whose fits are the unit of cost.
UNIT_OF_COST = "categorical_nb"
#: Digits of numbers in a page, and what they are of a learner.
DIGITS = 5
NUMBERS = (
    "regret", "low", "high", "first", "last", "strength", "weakest", "strongest", "accuracy", "ir_b", "fit",
    "forecast", "ratio", "order",
)  # fmt: skip
#: What is not chosen, in words.
ANYTHING = {
    "kind": "all kinds",
    "sizes": "all sizes",
    "difficulty": "all difficulties",
    "width": "any number",
}
MINUS, MISSING = "\u2212", "\u2013"


@dataclass(frozen=True)
class Entry:
    """A learner on the pages."""

    key: str
    title: str
    family: str
    note: str
    tuned: bool
    page: str
    part: str
    n_failed: int
    is_ranked: bool
    is_newcomer: bool = False

    @property
    def about(self) -> str:
        """Its family, whether it is tuned, whether it entered, and its missing scores."""
        failed = f"{count_of(self.n_failed, 'fit')} failed" if self.n_failed else ""
        part = "" if self.part == "all" else self.part
        tuned, entered = "tuned" if self.tuned else "", "entered" if self.is_newcomer else ""
        return "; ".join(dict.fromkeys(filter(None, (self.family, tuned, entered, part, failed))))

    @property
    def plain(self) -> dict[str, Any]:
        """Plain data."""
        return {**vars(self), "about": self.about}


@dataclass(frozen=True)
class BoardColumn:
    """A column of the leaderboard."""

    key: str
    title: str
    is_numeric: bool = True


@dataclass(frozen=True)
class BoardCell:
    """A cell of the leaderboard: its text, the smaller text after it, and its sort key."""

    text: str
    more: str = ""
    value: float | None = None


@dataclass(frozen=True)
class ArenaContent:
    """The content of the pages. The page opens with the view `default`."""

    suite: str
    entries: tuple[Entry, ...]
    boards: Mapping[View, Board]
    choices: Mapping[str, tuple[tuple[str, str], ...]]
    default: View

    @property
    def titles(self) -> dict[str, str]:
        """Titles of learners, by key."""
        return {entry.key: entry.title for entry in self.entries}

    @property
    def families(self) -> tuple[str, ...]:
        """Families of learners."""
        return tuple(dict.fromkeys(entry.family for entry in self.entries if entry.is_ranked))

    @property
    def columns(self) -> tuple[BoardColumn, ...]:
        """The columns of the leaderboard."""
        return (
            BoardColumn("learner", "learner", is_numeric=False),
            BoardColumn("rank", "rank"),
            BoardColumn("regret", "mean regret [bits]"),
            BoardColumn("strength", "strength [log odds]"),
            BoardColumn("accuracy", "accuracy"),
            BoardColumn("ir_b", "IR_B [bits]"),
            BoardColumn("fit", "time of a fit"),
            BoardColumn("forecast", "time of 1,000 forecasts"),
        )

    @property
    def plain(self) -> dict[str, Any]:
        """Plain data for the script of the page."""
        return {
            "entries": [entry.plain for entry in self.entries],
            "numbers": NUMBERS,
            "columns": [[column.key, column.is_numeric] for column in self.columns],
            "default": self.default.key,
            "views": {view.key: self._packed(own) for view, own in self.boards.items()},
        }

    def say(self, view: View) -> str:
        """Return the headline of a board, over all kinds with the leader outside the networks' own kinds."""
        said = headline(self.boards[view], self.titles)
        others = self.boards.get(replace(view, kind="other_kinds")) if not view.kind else None
        return said if others is None else f"{said} {elsewhere(others, self.titles)}"

    def rows(self, view: View) -> list[tuple[Entry, str, tuple[BoardCell, ...]]]:
        """Return the rows of a board by regret: learner, words below its name, and its other cells."""
        packed = self._packed(self.boards[view])
        ordered = sorted(packed["rows"], key=lambda row: row[-1])
        own = {i: (f"; {said}", n) for i, said, n in packed["own"]}
        found = []
        for i, *numbers in ordered:
            said, n = own.get(i, ("", 0))
            found.append((self.entries[i], self.entries[i].about + said, _cells(numbers, n)))
        for i, reason in packed["out"]:
            found.append((self.entries[i], f"not ranked: {reason}", _cells([None] * len(NUMBERS))))
        keys = [column.key for column in self.columns[1:]]
        return [(entry, about, tuple(cells[key] for key in keys)) for entry, about, cells in found]

    def _packed(self, own: Board) -> dict[str, Any]:
        places = {entry.key: i for i, entry in enumerate(self.entries)}
        unit = next((one.fit for one in own.standings if one.learner == UNIT_OF_COST), math.nan)
        # The unit is of the whole board, so that times of a part have no ratio.
        rows = [(one, one.fit / unit, one.regret) for one in (*own.standings, *own.yardsticks)]
        rows += [(one.standing, math.nan, own.order(one)) for one in own.newcomers]
        return {
            "say": self.say(own.view),
            "basis": basis(own),
            "n": len(own.standings),
            "rows": [
                [places[one.learner], *map(_number, (*(getattr(one, name) for name in NUMBERS[:-2]), *more))]
                for one, *more in rows
            ],
            "own": [
                [places[one.learner], f"ranked separately, on {own_part(one)}", one.n_learners]
                for one in own.newcomers
            ],
            "out": [[places[learner], reason] for learner, reason in own.left_out],
        }


def arena_content(
    scores: SuiteScores,
    entrants: Mapping[str, Entrant],
    *,
    failures: Mapping[str, int] | None = None,
    newcomers: Collection[str] = (),
    n_resamples: int = 200,
) -> ArenaContent:
    """Compute all leaderboards. Newcomers do not change the ranks of the others."""
    boards = {
        view: board(scores, view, newcomers=newcomers, n_resamples=n_resamples)
        for view in views(scores, newcomers)
    }
    found = {view: own for view, own in boards.items() if own is not None}
    if not found:
        raise WorkbenchError(
            f"the scores on {scores.suite} have {len(contestants(scores))} learners, but not two learners "
            "with scores on the same truths of the map: add learners, or compute more of the suite"
        )
    default = next((view for view in (View(sizes=SHARED), View()) if view in found), next(iter(found)))
    parts = {key: part_of(scores, key) for key in scores.learners}
    whole = max(n for n, _ in parts.values()), max((sizes for _, sizes in parts.values()), key=len)
    entries = tuple(
        _entry(
            key,
            entrants.get(key),
            part_words(*parts[key], whole),
            (failures or {}).get(key, 0),
            key in newcomers,
        )
        for key in scores.learners
    )
    return ArenaContent(
        scores.suite,
        entries,
        found,
        _choices(found),
        default,
    )


def file_of(key: str) -> str:
    """Return the name of the page of a learner, which is valid on all file systems."""
    plain = re.sub(r"[^a-z0-9_-]+", "-", key.lower()).strip("-")[:40]
    if plain and plain == key:
        return f"{plain}.html"
    return f"{plain or 'learner'}-{sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}.html"


def _entry(key: str, entrant: Entrant | None, part: str, n_failed: int, is_newcomer: bool) -> Entry:
    said = entrant or Entrant(key, learner_name(key), "others", key)
    return Entry(
        key,
        said.title,
        said.family,
        said.note,
        said.tuned,
        f"learners/{file_of(key)}",
        part,
        n_failed,
        key not in CEILINGS,
        is_newcomer,
    )


def _choices(boards: Mapping[View, Board]) -> dict[str, tuple[tuple[str, str], ...]]:
    """Return the options of a choice, with words."""
    values = {
        name: tuple(dict.fromkeys(getattr(view, name) for view in boards))
        for name in ("kind", "sizes", "difficulty", "width")
    }

    def words(name: str, value: str) -> str:
        if not value:
            return ANYTHING[name]
        if value == SHARED:
            own = next(board for view, board in boards.items() if view.sizes == SHARED)
            return f"{size_words(own.sizes).removesuffix(' rows')}: all learners"
        return f"{int(value):,}" if name == "sizes" else kind_words(value)

    return {name: tuple((value, words(name, value)) for value in own) for name, own in values.items()}


def _cells(numbers: Sequence[float | None], n_learners: int = 0) -> dict[str, BoardCell]:
    """Return the cells of a row by column. With a number of learners, its rank is among these."""
    one = dict(zip(NUMBERS, numbers, strict=True))
    first, last, accuracy = int(one["first"] or 0), int(one["last"] or 0), one["accuracy"]
    ratio = "" if one["ratio"] is None else ratio_words(one["ratio"])
    return {
        # by the best rank, then by the worst
        "rank": BoardCell(
            rank_words(first, last),
            f"of {n_learners}" if n_learners else "",
            first + last / 1000 if first else None,
        ),
        "regret": replace(_fixed(one["regret"], 3, one["low"], one["high"]), value=one["order"]),
        "strength": _fixed(one["strength"], 2, one["weakest"], one["strongest"]),
        "accuracy": BoardCell(MISSING if accuracy is None else f"{100 * accuracy:.1f}%", value=accuracy),
        "ir_b": _fixed(one["ir_b"], 3),
        "fit": BoardCell(duration(one["fit"]), ratio, one["fit"]),
        "forecast": BoardCell(duration(one["forecast"]), value=one["forecast"]),
    }


def _number(value: float) -> float | int | None:
    """Return a number with few digits, or nothing if it is missing."""
    if isinstance(value, int):
        return value
    return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None


def _fixed(
    value: float | None, digits: int, low: float | None = None, high: float | None = None
) -> BoardCell:
    """Return a number with the ends of its interval, if it has one."""
    if value is None:
        return BoardCell(MISSING)
    text, *ends = (
        "" if one is None else f"{one:.{digits}f}".replace("-", MINUS) for one in (value, low, high)
    )
    return BoardCell(text, f"[{ends[0]}, {ends[1]}]" if all(ends) else "", value)
