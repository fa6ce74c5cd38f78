"""What a report says of a study on tables: who beats whom, table by table, and by how much."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from workbench import catalogue
from workbench.analyses import Resampled, resampled_of
from workbench.report.document import Cell, Document, Number, Part, Picture, Section, Table, Text
from workbench.report.tables import number, p_value
from workbench.tables_summary import TESTS, answer, beaten_frame, headline_keys, tally_frame, title_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from workbench.results import Results
    from workbench.scores import ScoreKey

__all__ = ["tables_document"]

WORDS = {
    "p": "",
    "p_F": "by Alpaydin's combined 5x2cv F test",
    "p_holm": "with Holm's correction within a table",
}


def tables_document(results: "Results", last: Sequence[Section], footer: str) -> Document:
    """Compute what a report on tables says.

    Parameters
    ----------
    results : Results
    last : sequence of Section
        What every report ends with: settings and provenance.
    footer : str

    Returns
    -------
    Document
    """
    keys = headline_keys(results)
    tests = {key: resampled_of(results, **key._asdict()) for key in keys}
    first = tests[keys[0]]
    sentence = answer(first)
    cells = results.cells()
    subtitle = (
        f"{cells['learner'].nunique()} learners on {cells['source'].nunique()} tables; design "
        f"{results.study['design'][0]}, {cells.groupby(['replicate', 'fold']).ngroups} parts a table"
    )
    pictures = [_picture(tests[key], key) for key in keys[:2]]
    sections = [
        Section("Scores", tuple(_means(tests[key], key) for key in keys)),
        Section("Who beats whom", tuple(_beaten(tests))),
        Section("Pairs", tuple(_pairs(one) for one in first if len(one.table))),
        *last,
    ]
    return Document(
        title=str(results.study["name"]),
        subtitle=subtitle,
        opening="",
        parts=(sentence,),
        surety="",
        winners=tuple(key for key in first[0].means.index if f" {key} wins " in f" {sentence} "),
        pictures=tuple(pictures),
        caption=pictures[0].caption if pictures else "",
        sections=tuple(section for section in sections if section.parts),
        footer=footer,
    )


def _means(tests: Sequence[Resampled], key: "ScoreKey") -> Table:
    learners = list(tests[0].means.index)
    rows: list[tuple[Cell, ...]] = []
    for one in tests:
        name = "|".join(["mean", *key, one.source])
        values = [one.means.loc[learner] for learner in learners]
        rows.append((one.source, *[_mean(v, f"{name}|{k}") for k, v in zip(learners, values, strict=True)]))
    metric = catalogue.find("metrics", key.metric)
    note = (
        f"Mean \u00b1 standard deviation over the parts of each table, in {metric.unit}; {metric.direction} "
        "is better. Parts share rows, so the deviation over the square root of their number is no standard "
        "error. " + " ".join(f"{note[0].upper()}{note[1:]}." for one in tests for note in one.notes)
    )
    return Table(title_of(key), ("table", *learners), tuple(rows), note)


def _mean(row: pd.Series, name: str) -> Number:
    shown = number(row["mean"], 4, name)
    if np.isnan(row["sd"]):
        return shown
    return Number(f"{shown.text} \u00b1 {row['sd']:.3f}", shown.value, name)


def _beaten(tests: "dict[ScoreKey, tuple[Resampled, ...]]") -> Iterator[Part]:
    first = next(iter(tests.values()))
    yield Text(
        "Each cell names the learners that are significantly worse than the column's, by "
        f"{TESTS[first[0].test]}, table by table. With many pairs some are significant by chance; the tables "
        "with Holm's correction say which are left."
    )
    for key, own in tests.items():
        yield _tally(own, f"{title_of(key)}: wins, ties, losses")
        for p in ("p", "p_F", "p_holm"):
            if p == "p_F" and own[0].test != "five_by_two":
                continue
            frame = beaten_frame(own, p=p)
            rows = tuple((str(source), *map(str, row)) for source, row in frame.iterrows())
            title = ", ".join(word for word in (title_of(key), WORDS[p]) if word)
            yield Table(f"{title}: beaten by the column's learner", ("table", *frame.columns), rows)


def _tally(tests: Sequence[Resampled], title: str) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for learner, row in tally_frame(tests).iterrows():
        counts = [Number(str(row[name]), float(row[name])) for name in ("win", "tie", "loss")]
        rows.append((str(learner), *counts))
    return Table(title, ("learner", "wins", "ties", "losses"), tuple(rows))


def _pairs(one: Resampled) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for row in one.table.to_dict("records"):
        statistics = [number(row["t"], 2), p_value(row["p"])]
        if one.test == "five_by_two":
            statistics += [number(row["F"], 2), p_value(row["p_F"])]
        pair = f"{row['learner']} \u2212 {row['other']}"
        rows.append((pair, number(row["difference"], 4), *statistics, p_value(row["p_holm"])))
    names = ("t", "p", "F", "p of F") if one.test == "five_by_two" else ("t", "p")
    return Table(
        f"{one.source}: {title_of(one.score)}", ("pair", "difference", *names, "p (Holm)"), tuple(rows)
    )


def _picture(tests: Sequence[Resampled], key: "ScoreKey") -> Picture:
    caption = (
        f"Mean {title_of(key)} of every learner on every table, over the parts of the design. Infinite means "
        "are not drawn."
    )
    name = "_".join(["tables", key.metric, key.cutoff])
    return Picture(name, f"{title_of(key)} by table", caption, _sketch(tests, key))


def _sketch(tests: Sequence[Resampled], key: "ScoreKey") -> "Callable[[], Figure]":
    def sketch() -> Any:
        from matplotlib.figure import Figure

        from workbench.figures.style import legend_below, looks

        learners = list(tests[0].means.index)
        figure = Figure(figsize=(5.2, 1.3 + 0.26 * len(tests)), layout="constrained")
        ax = figure.add_subplot()
        for learner, look in looks(learners).items():
            values = np.array([one.means.loc[learner, "mean"] for one in tests], dtype=float)
            values[~np.isfinite(values)] = np.nan
            ax.plot(values, range(len(tests)), look.marker, color=look.color, label=learner, alpha=0.85)
        ax.set_yticks(range(len(tests)), [one.source for one in tests])
        ax.set_ylim(len(tests) - 0.5, -0.5)
        ax.grid(visible=True, axis="both")
        ax.set_xlabel(f"{title_of(key)} [{catalogue.find('metrics', key.metric).unit}]")
        legend_below(ax)
        return figure

    return sketch
