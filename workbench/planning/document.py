"""A plan as a document, which the renderers of reports write as HTML, Markdown, LaTeX or CSV."""

import numpy as np

from workbench.planning.display import PlanDisplay
from workbench.planning.findings import PlanFindings
from workbench.planning.needs import rows_needed
from workbench.planning.words import limits_of, place_words, sentences_of, times_words
from workbench.report.document import Document, Picture, Section, Text
from workbench.report.table import Cell, Number, Table, number

__all__ = ["document_of", "table_at"]

QUESTION = "How much would learners lose, if there were more rows to learn from?"
PRIOR = "(class frequencies)"
MEANING = "Log loss is in bits a row, after the cut-off of 2002; 0 is the best."


def document_of(plan: PlanFindings, loss: float | None = None) -> Document:
    """Arrange everything that a plan found, and the rows that a loss takes, if one is wished."""
    answer, *others = sentences_of(plan)
    display = PlanDisplay(plan)
    picture = Picture(display.key, display.title, display.caption, display.sketch, wide=True)
    sections = (
        Section("What was found", tuple(map(Text, others))),
        Section("Present and expected loss", tuple(table_at(plan, n) for n in plan.rows)),
        *(() if loss is None else (Section("Rows needed", (_needed(plan, loss),)),)),
        Section("The curves", (_curves(plan),)),
        Section("How it was made, and what it cannot say", tuple(map(Text, limits_of(plan)))),
    )
    if plan.notes:
        sections = (Section("What to know of the table", tuple(map(Text, plan.notes))), *sections)
    return Document(
        title="What would more rows bring?",
        subtitle=f"{plan.n_rows:,} rows now; {', '.join(f'{n:,}' for n in plan.rows)} asked about",
        opening=answer,
        parts=(),
        surety="",
        winners=(),
        pictures=(picture,),
        caption=display.caption,
        sections=sections,
        footer=f"Seed {plan.seed}; {len(plan.kinds)} twins; made by workbench plan.",
        question=QUESTION,
        meaning=MEANING,
    )


def table_at(plan: PlanFindings, n: int) -> Table:
    """Return the table of one number of rows, the lowest present loss first."""
    own = plan.frame[plan.frame["rows"] == n]
    rows: list[tuple[Cell, ...]] = [
        (
            row["learner"],
            place_words(row["rank_low"], row["rank_high"]),
            Number(row["present"], 3, f"present|{row['learner']}|{n}", spread=row["error"], spread_digits=3),
            _gain(row["gain_twins"], f"twins|{row['learner']}|{n}"),
            _gain(row["gain_extrapolated"], f"extrapolated|{row['learner']}|{n}"),
            number(row["expected"], 3, f"expected|{row['learner']}|{n}", (row["low"], row["high"])),
            "disagree" if row["disagree"] else "",
        )
        for row in own.to_dict("records")
    ]
    rows.append((PRIOR, "", number(plan.prior_loss, 3, f"present|prior|{n}"), "", "", "", ""))
    return Table(
        f"With {n:,} rows, {times_words(n, plan.n_rows)} as many",
        ("learner", "rank now", "loss now", "gain by twins", "by extrapolation", "expected loss", "two ways"),
        tuple(rows),
        note=(
            f"Bits a row. The loss now is that of learners with {plan.present.n_train:,} of the rows; after "
            "\u00b1 its standard error. A range of ranks is what cross-validation cannot tell. In brackets "
            "intervals that nominally hold 80%."
        ),
    )


def _gain(value: float, name: str) -> Cell:
    return "none" if np.isnan(value) else Number(value, 3, name, form="signed")


def _needed(plan: PlanFindings, loss: float) -> Table:
    return Table(
        f"How many rows a loss of {loss:.3g} bits may take",
        ("learner", "rows"),
        tuple((key, rows_needed(plan, key, loss).words) for key in plan.learners),
        note="From the last size at which the loss is below the interval to the first at which it is above.",
    )


def _curves(plan: PlanFindings) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for i, key in enumerate(plan.learners):
        cells = [
            number(plan.expected[i, k], 3, f"curve|{key}|{n}", (plan.low[i, k], plan.high[i, k]))
            for k, n in enumerate(plan.sizes)
        ]
        rows.append((key, *cells))
    return Table(
        "Expected loss by twins",
        ("learner", *(f"{n:,} rows" for n in plan.sizes)),
        tuple(rows),
        note="Bits a row.",
    )
