"""A plan as a document, which the renderers of reports write as HTML, Markdown, LaTeX or CSV."""

from workbench.planning.display import PlanDisplay
from workbench.planning.findings import PlanFindings
from workbench.planning.words import limits_of, place_words, sentences_of, times_words
from workbench.report.document import Document, Picture, Section, Text
from workbench.report.table import Cell, Number, Table, number

__all__ = ["document_of", "table_at"]

QUESTION = "What would more rows bring each learner?"
PRIOR = "(class frequencies)"
MEANING = "Log loss is in bits a row, after the cut-off of 2002; 0 is the best."


def document_of(plan: PlanFindings) -> Document:
    """Arrange everything that a plan found."""
    answer, *others = sentences_of(plan)
    display = PlanDisplay(plan)
    picture = Picture(display.key, display.title, display.caption, display.sketch, wide=True)
    sections = (
        Section("What was found", tuple(map(Text, others))),
        Section("Present and expected loss", tuple(table_at(plan, n) for n in plan.rows)),
        Section("The curves", (_curves(plan),)),
        Section("How it was made, and what it cannot say", tuple(map(Text, (*plan.notes, *limits_of(plan))))),
    )
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
        ("learner", "rank now", "loss now", "gain by twins", "by extrapolation", "expected loss", ""),
        tuple(rows),
        note=(
            "Bits a row. A range of ranks is what cross-validation cannot tell; after \u00b1 the standard "
            "error; in brackets intervals that nominally hold 80%."
        ),
    )


def _gain(value: float, name: str) -> Number:
    return Number(value, 3, name, form="signed")


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
