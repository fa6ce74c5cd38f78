"""The page of a learner: where on the map it is good, and its standing there."""

import math
from collections.abc import Mapping

from workbench.arena.content import ArenaContent, Entry
from workbench.arena.leaderboard import LEVEL, SHARED, Position, View
from workbench.arena.words import own_part
from workbench.base.text import capitalized, count_of
from workbench.profiles.entrants import Entrant
from workbench.profiles.words import duration, kind_words, place_words
from workbench.report.document import Document, Part, Section, Text
from workbench.report.table import Cell, Number, Table

__all__ = ["learner_document"]


def learner_document(
    content: ArenaContent, entry: Entry, entrant: Entrant | None, provenance: Mapping[str, str]
) -> Document:
    """Return the page of a learner without a profile: its place on every part of the map."""
    kinds = [kind for kind, _ in content.choices["kind"]]
    sizes = [size for size, _ in content.choices["sizes"] if size != SHARED]
    grid = [[View(kind, size) for size in sizes] for kind in kinds]
    parts = [View(difficulty=level) for level, _ in content.choices["difficulty"] if level]
    parts += [View(width=width) for width, _ in content.choices["width"] if width]
    sections = (
        Section("Kinds of truths and training rows", tuple(_tables(content, entry, grid))),
        Section("Difficulty and number of attributes", (_by_part(content, entry, parts),)),
        Section("Settings", (Text(_settings(entry, entrant)),)),
    )
    return Document(
        title=entry.title,
        subtitle=f"{entry.family}, on the suite {content.suite}",
        opening="",
        parts=(_answer(content, entry),),
        surety="",
        winners=(),
        pictures=(),
        caption="",
        sections=sections,
        footer="; ".join(f"{name}: {value}" for name, value in provenance.items()),
    )


def _answer(content: ArenaContent, entry: Entry) -> str:
    own = content.boards[content.default]
    one = _standing(content, entry, content.default)
    if not entry.is_ranked:
        return f"{entry.title} is a yardstick and is not ranked."
    if one is None:
        reason = dict(own.left_out).get(entry.key, "no scores")
        return f"{entry.title} is not ranked on the whole map: {reason}."
    by_itself = own.newcomer(entry.key)
    where = f" on its part ({own_part(by_itself)})" if by_itself else ""
    place = place_words(one.first, one.last, _n_learners(content, entry, content.default))
    return (
        f"{entry.title} is {place} learners{where}, with a mean regret of {one.regret:.3f} bits, from "
        f"{one.low:.3f} to {one.high:.3f}. A fit takes {_duration(one.fit)} (median), and forecasts of 1,000 "
        f"rows of many attributes take {_duration(one.forecast)}."
    )


def _duration(seconds: float) -> str:
    return duration(seconds if math.isfinite(seconds) else None)


def _tables(content: ArenaContent, entry: Entry, grid: list[list[View]]) -> list[Part]:
    columns = (
        "kind of truths",
        *(f"{int(view.sizes):,} rows" if view.sizes else "all sizes" for view in grid[0]),
    )
    heads = [kind_words(row[0].kind) or "all kinds" for row in grid]
    holds = f"are simultaneous for all learners of a board with probability {LEVEL:g}"
    regret = tuple(
        (head, *(_regret(content, entry, view) for view in row))
        for head, row in zip(heads, grid, strict=True)
    )
    ranks = tuple(
        (head, *(_rank(content, entry, view) for view in row)) for head, row in zip(heads, grid, strict=True)
    )
    found: list[Part] = [
        Table(
            "Mean regret [bits]",
            columns,
            regret,
            f"After \u00b1: half the width of the interval. Intervals {holds}.",
        )
    ]
    if entry.is_ranked:
        note = f"Ranks {holds}. A board is the part of the map with one kind and one number of rows."
        if entry.is_newcomer:
            note += " Where it has fewer scores than others, it is ranked on its part, in a single interval."
        found.append(Table("Rank", columns, ranks, note))
    return found


def _by_part(content: ArenaContent, entry: Entry, parts: list[View]) -> Table:
    rows = tuple(
        (
            view.difficulty or kind_words(view.width),
            _rank(content, entry, view),
            _regret(content, entry, view),
            _of(content, entry, view, "accuracy"),
            _of(content, entry, view, "ir_b"),
        )
        for view in parts
    )
    return Table(
        "At all training sizes", ("places", "rank", "mean regret [bits]", "accuracy", "IR_B [bits]"), rows
    )


def _settings(entry: Entry, entrant: Entrant | None) -> str:
    said = [f"Key: `{entry.key}`."]
    if entrant is not None and isinstance(entrant.learner, str):
        said.append(f"Learner: `{entrant.learner}`.")
    if entrant is not None and entrant.input:
        said.append(f"Input: `{entrant.input}`.")
    if entrant is not None and entrant.parameters:
        said.append(f"Parameters: `{', '.join(f'{k}={v!r}' for k, v in entrant.parameters.items())}`.")
    elif not entry.note:
        said.append("Default settings.")
    if entry.note:
        said.append(f"{capitalized(entry.note)}.")
    if entry.tuned:
        said.append("It chooses its settings by cross-validation inside the training rows.")
    if entry.n_failed:
        failed = count_of(entry.n_failed, "fit")
        said.append(f"{failed} failed. There its forecasts are replaced by the class frequencies.")
    said.append(f"Scored on {'all truths and sizes' if entry.part == 'all' else entry.part}.")
    return " ".join(said)


def _standing(content: ArenaContent, entry: Entry, view: View) -> Position | None:
    own = content.boards.get(view)
    if own is None:
        return None
    by_themselves = (one.standing for one in own.newcomers)
    there = (*own.standings, *own.yardsticks, *by_themselves)
    return next((one for one in there if one.learner == entry.key), None)


def _n_learners(content: ArenaContent, entry: Entry, view: View) -> int:
    """Return the number of ranked learners."""
    own = content.boards[view]
    by_itself = own.newcomer(entry.key)
    return by_itself.n_learners if by_itself else len(own.standings)


def _regret(content: ArenaContent, entry: Entry, view: View) -> Cell:
    one = _standing(content, entry, view)
    if one is None:
        return Number(math.nan)
    return Number(one.regret, 3, form="zero", spread=one.high - one.regret, spread_digits=3)


def _rank(content: ArenaContent, entry: Entry, view: View) -> Cell:
    one = _standing(content, entry, view)
    if one is None or one.first == 0:
        return Number(math.nan)
    own = str(one.first) if one.first == one.last else f"{one.first} to {one.last}"
    words = f"{own} of {_n_learners(content, entry, view)}"
    return Number(one.first + one.last / 1000, words=words)


def _of(content: ArenaContent, entry: Entry, view: View, name: str) -> Cell:
    one = _standing(content, entry, view)
    return Number(math.nan if one is None else getattr(one, name), 3)
