"""What a report says of a study on tables: who beats whom, table by table, and by how much."""

from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from workbench.analyses import Resampled, resampled_of
from workbench.analyses._shared.tables_answer import DECIDING, PAPERS, answer, tally_frame, untested
from workbench.base.score_key import ScoreKey
from workbench.base.text import count_of
from workbench.report.document import Cell, Document, Number, Part, Section, Table, Text
from workbench.report.sections.tables import number, p_value
from workbench.report.sections.tables_picture import caption_of, means_picture
from workbench.report.terminal.tables_summary import beaten_frame, headline_keys, legend_of, title_of

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["tables_document"]

#: The two ways to count, and what stands over their tables.
FORMS = {"p_holm": "with Holm's correction", "p": "as in the papers, uncorrected"}
MEANS = (
    "Means \u00b1 standard deviations over the parts of each table. Parts share rows, so the deviation "
    "over the square root of their number is no standard error."
)
POINT = "A point is the mean of one learner on one table, over the parts of the design."
#: How designs make parts of a table, in words that take the design's parameters.
PARTS = {
    "five_by_two": (
        "Each table is halved five times; learners learn from each half and are tested on the other"
    ),
    "half_splits": ("Each table is halved {times}; learners learn from one half and are tested on the other"),
    "random_splits": (
        "Each table is split {times}; learners learn from {train:.0%} of the rows and are tested on "
        "the others"
    ),
    "repeated_folds": (
        "Each table is cut into {folds} folds, {times}; each fold is tested on after learning from the others"
    ),
}
#: What the columns of the pairs mean.
COLUMNS = {
    "five_by_two": (
        "t and its p are Dietterich's, for 5x2cv; F and p of F are Alpaydin's combined test of the same ten "
        "differences, which decides. p (Holm): p of F, corrected over the pairs; p (Bonferroni): "
        "the same p times their number, a simpler and weaker correction."
    ),
    "corrected": (
        "t and p are those of Nadeau and Bengio's corrected resampled test. p (Holm): p, corrected over the "
        "pairs of the table; p (Bonferroni): p times their number, a simpler and weaker correction."
    ),
}


def tables_document(results: "StudyResults", last: Sequence[Section], footer: str) -> Document:
    """Compute what a report on tables says."""
    keys = headline_keys(results)
    tests = {key: resampled_of(results, score=key) for key in keys}
    first = tests[keys[0]]
    sentence = answer(results, first)
    metrics = [key.metric for key in keys]
    drawn = [key for i, key in enumerate(keys) if key.metric not in metrics[:i]][:2]
    pictures = [means_picture(tests[key]) for key in drawn]
    notes = dict.fromkeys(note for key in drawn for note in caption_of(tests[key]))
    sections = [
        Section("Scores", (Text(MEANS), *(_means(tests[key]) for key in keys), _words(keys, results))),
        Section("Who beats whom", tuple(_beaten(tests))),
        Section("Pairs", tuple(_pairs(tests))),
        *last,
    ]
    return Document(
        title=results.study.name,
        subtitle=_subtitle(results),
        opening="",
        parts=(sentence,),
        surety="",
        winners=tuple(key for key in first[0].means.index if f" {key} wins " in f" {sentence} "),
        pictures=tuple(pictures),
        caption=" ".join([POINT, *notes]),
        sections=tuple(section for section in sections if section.parts),
        footer=footer,
    )


def _subtitle(results: "StudyResults") -> str:
    cells, design = results.cells(), results.study.design
    parts = cells.groupby(["replicate", "fold"], observed=True).ngroups
    learners, tables = cells["learner"].nunique(), cells["source"].nunique()
    repeats = design.options.get("repeats", 0)
    times = {1: "once", 2: "twice"}.get(repeats, f"{repeats} times")
    how = PARTS.get(design.key, f"The design is {design.key}").format(times=times, **design.options)
    return (
        f"{count_of(learners, 'learner')} on {count_of(tables, 'table')}. {how}: {count_of(parts, 'part')} a "
        "table."
    )


def _words(keys: "Sequence[ScoreKey]", results: "StudyResults") -> Table:
    return Table("Words", ("word", "meaning"), tuple(legend_of(keys, facts=results.metric).items()))


def _means(tests: Sequence[Resampled]) -> Table:
    key, beside = tests[0].score, list(tests[0].beside.index)
    learners = [*tests[0].means.index, *beside]
    rows: list[tuple[Cell, ...]] = []
    for one in tests:
        name = "|".join(["mean", *key, one.source])
        means = pd.concat([one.means, one.beside])
        rows.append((one.source, *[_mean(row, f"{name}|{learner}") for learner, row in means.iterrows()]))
    aside = [f"In no test: {', '.join(beside)}."] if beside else []
    note = " ".join((f"In {tests[0].metric.measure}.", *aside, *untested(tests)))
    return Table(title_of(key), ("table", *learners), tuple(rows), note, n_grey=len(beside))


def _mean(row: pd.Series, name: str) -> Number:
    shown = number(row["mean"], 4, name)
    if np.isnan(row["sd"]):
        return shown
    return Number(f"{shown.text} \u00b1 {row['sd']:.3f}", shown.value, name)


def _beaten(tests: "dict[ScoreKey, tuple[Resampled, ...]]") -> Iterator[Part]:
    test = next(iter(tests.values()))[0].test
    yield Text(
        "Each cell names the learners that are significantly worse than the column's on the table of the "
        f"row. What the answer counts is decided by {DECIDING[test]}. Beside it stands the form of the "
        f"papers, by {PAPERS[test]}, where of so many pairs some are significant by chance."
    )
    for key, own in tests.items():
        yield _tally(own)
        for p, words in FORMS.items():
            frame = beaten_frame(own, p=p)
            rows = tuple((str(source), *map(str, row)) for source, row in frame.iterrows())
            title = f"{title_of(key)}: beaten by the column's learner, {words}"
            yield Table(title, ("table", *frame.columns), rows)


def _tally(tests: Sequence[Resampled]) -> Table:
    frames = [tally_frame(tests, p=p) for p in FORMS]
    rows: list[tuple[Cell, ...]] = []
    for learner in frames[0].index:
        counts = [frame.loc[learner, name] for frame in frames for name in ("win", "tie", "loss")]
        rows.append((str(learner), *[Number(str(n), float(n)) for n in counts]))
    names = ("wins", "ties", "losses")
    columns = ("learner", *names, *[f"{name}, uncorrected" for name in names])
    note = "Over all tables and other learners: with Holm's correction, then as in the papers, uncorrected."
    return Table(f"{title_of(tests[0].score)}: wins, ties, losses", columns, tuple(rows), note)


def _pairs(tests: "dict[ScoreKey, tuple[Resampled, ...]]") -> Iterator[Part]:
    own = [one for one in tests.values() if any(len(on_table.table) for on_table in one)]
    if own:
        yield Text(
            f"Difference: mean over parts of the first minus the second. {COLUMNS[own[0][0].test]} Better: "
            "who is significantly better by that, at 5%."
        )
    yield from map(_pairs_table, own)


def _pairs_table(tests: Sequence[Resampled]) -> Table:
    key = tests[0].score
    rows = tuple(
        _pair(one, row, winner)
        for one in tests
        for row, winner in zip(one.table.to_dict("records"), one.winners(), strict=True)
    )
    names = ("t", "p", "F", "p of F") if tests[0].test == "five_by_two" else ("t", "p")
    unit = tests[0].metric.unit
    columns = ("pair", "table", f"difference [{unit}]", *names, "p (Holm)", "p (Bonferroni)", "better")
    note = " ".join((f"In {tests[0].metric.measure}.", *untested(tests)))
    return Table(title_of(key), columns, rows, note)


def _pair(one: Resampled, row: dict[Hashable, Any], winner: str | None) -> tuple[Cell, ...]:
    place = "|".join([*one.score, one.source, row["learner"], row["other"]])
    statistics = [number(row["t"], 2), p_value(row["p"])]
    if one.test == "five_by_two":
        statistics += [number(row["F"], 2), p_value(row["p_F"])]
    return (
        f"{row['learner']} \u2212 {row['other']}",
        one.source,
        number(row["difference"], 4, f"difference|{place}"),
        *statistics,
        p_value(row["p_holm"], f"p_holm|{place}"),
        p_value(row["p_bonferroni"]),
        winner or "",
    )
