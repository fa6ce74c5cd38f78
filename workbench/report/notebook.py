"""Results as a notebook shows them: the answer, how every learner stands, and what else can be asked."""

from collections.abc import Iterator
from html import escape

import pandas as pd

from workbench.analyses import LearnerRanking
from workbench.analyses._shared.partial_results import partial_note
from workbench.analyses.learner_ranking import NOT_COMPARED
from workbench.analyses.verdict import answer_to, deciding_tests
from workbench.base.errors import WorkbenchError
from workbench.base.names import learner_name, source_name
from workbench.base.text import count_of, printable
from workbench.report.headline import meaning_of, title_of
from workbench.report.standing_tables import standing_note
from workbench.report.table import number, plain
from workbench.report.words import failure_notes
from workbench.store.results import StudyResults

__all__ = ["notebook_html"]

#: Cells of a study beyond which nothing is computed for a display, and most rows and columns of its table.
MOST_CELLS, MOST_ROWS, MOST_COLUMNS = 50_000, 30, 24
#: Most tests of pairs on data sets, of which each takes half a millisecond.
MOST_PAIRS = 800
#: Translucent, so that letters in the page's own color are legible on light and on dark pages.
SHADES = {
    "wins": "background: rgba(0, 114, 178, .55); font-weight: 700",
    "leads": "background: rgba(0, 114, 178, .34); font-weight: 700",
    "tied": "background: rgba(0, 114, 178, .16)",
    "worse": "background: rgba(213, 94, 0, .28); font-style: italic",
}
CELL = "padding: .2em .7em; text-align: right; white-space: nowrap"
SOFT = "opacity: .75; font-size: .9em; max-width: 62em"
ASK = (
    "<code>.report(&quot;results.html&quot;)</code> writes the whole report. <code>.table()</code>, "
    "<code>.ranking()</code>, <code>.differences()</code> and <code>.frame()</code> return data frames. "
    "<code>.plot()</code> draws a figure."
)


def notebook_html(results: StudyResults) -> str:
    """Write the display as HTML that needs no style sheet."""
    return f"<div>{''.join(_parts(results))}</div>"


def _parts(results: StudyResults) -> Iterator[str]:
    yield f"<p><b>{_text(title_of(results))}</b> (study {_text(results.study.name)})</p>"
    if _is_large(results):
        yield "<p>The study is too large to be tested for a display. <code>.answer()</code> tests it.</p>"
    else:
        try:
            yield from _tested(results)
        except WorkbenchError as error:
            yield f"<p>There is no winner: {_text(str(error))}.</p>"
    yield f"<p>{_counts(results)}</p>"
    yield from (f"<p>&#9888; {_text(line)}</p>" for line in failure_notes(results, "cells()"))
    yield f'<p style="{SOFT}">{ASK}</p>'


def _is_large(results: StudyResults) -> bool:
    """Return whether the tests of a study take longer than a display may."""
    n = len(results.study.compared_learners())
    pairs = 0 if results.design.blocks.has_sizes else n * (n - 1) // 2 * len(results.study.source_keys)
    return len(results.cells()) > MOST_CELLS or pairs > MOST_PAIRS


def _tested(results: StudyResults) -> Iterator[str]:
    if part := partial_note(results):
        yield f"<p><b>{_text(part)}</b></p>"
    tests = deciding_tests(results)
    ranking = LearnerRanking.of(tests)
    compared = (ranking.table["standing"] != NOT_COMPARED).any()
    yield f'<p style="max-width: 62em">{_text(answer_to(results, tests, brief=True))}</p>'
    yield _table(ranking)
    note = f" {standing_note(tests)}" if compared else ""
    yield f'<p style="{SOFT}">Mean {_text(f"{ranking.score.words}.{note}")}</p>'
    yield f'<p style="{SOFT}">{_text(meaning_of(results, ranking.score))}</p>'


def _table(ranking: LearnerRanking) -> str:
    """Write means with how they stand: learners down, settings across."""
    words = ranking.matrix
    across = list(words.columns.names)
    means = ranking.table.set_index(["learner", *across])["mean"].unstack(across)
    shown = list(words.columns)[:MOST_COLUMNS]
    heads = "".join(f'<th style="{CELL}">{_head(column)}</th>' for column in shown)
    rows = "".join(
        f'<tr><th style="text-align: left">{_text(learner_name(str(learner)))}</th>'
        + "".join(_cell(words.loc[learner, column], means.loc[learner, column]) for column in shown)
        + "</tr>"
        for learner in words.index[:MOST_ROWS]
    )
    rest = [
        count_of(len(words.index) - MOST_ROWS, "more learner") if len(words.index) > MOST_ROWS else "",
        count_of(len(words.columns) - MOST_COLUMNS, "more column")
        if len(words.columns) > MOST_COLUMNS
        else "",
    ]
    more = " and ".join(filter(None, rest))
    note = f"<p>and {more}: <code>.ranking()</code></p>" if more else ""
    return (
        '<div style="overflow-x: auto"><table style="border-collapse: separate; border-spacing: 2px">'
        f"<thead><tr><th></th>{heads}</tr></thead><tbody>{rows}</tbody></table></div>{note}"
    )


def _head(column: object) -> str:
    if isinstance(column, tuple):
        source, size = column
        return f"{_text(source_name(str(source)))}<br>{size} rows"
    return _text(str(column))


def _cell(word: str, mean: float) -> str:
    style = f"{CELL}; {SHADES.get(word, 'opacity: .75')}"
    shown = "" if pd.isna(mean) else f"{escape(plain(number(mean, 3)))}<br>"
    return f'<td style="{style}">{shown}<small>{word}</small></td>'


def _counts(results: StudyResults) -> str:
    states = results.cells()["state"].value_counts()
    named = ", ".join(f"{n} {str(state).replace('_', ' ')}" for state, n in states.items() if n)
    return f"{count_of(int(states.sum()), 'cell')}: {named}"


def _text(text: str) -> str:
    return escape(printable(text))
