"""A plan as a notebook shows it: the sentences, the tables, and what else can be asked."""

from html import escape

from workbench.base.text import printable
from workbench.planning.document import table_at
from workbench.planning.findings import PlanFindings
from workbench.planning.words import sentences_of
from workbench.report.table import Table, text_of

__all__ = ["notebook_html"]

CELL = "padding: .2em .7em; text-align: right; white-space: nowrap"
SOFT = "opacity: .75; font-size: .9em; max-width: 62em"
ASK = (
    "<code>.plot()</code> draws the curves; <code>.report(&quot;plan.html&quot;)</code> writes all of it; "
    "<code>.rows_needed(learner, loss)</code> reads off how many rows a loss may take."
)


def notebook_html(plan: PlanFindings) -> str:
    """Write the display as HTML that needs no style sheet."""
    tables = "".join(_table(table_at(plan, n)) for n in plan.rows)
    notes = "".join(f'<p style="{SOFT}">{_text(note)}</p>' for note in plan.notes)
    return (
        f'<div><p style="max-width: 62em">{_text(" ".join(sentences_of(plan)))}</p>{tables}{notes}'
        f'<p style="{SOFT}">{ASK}</p></div>'
    )


def _table(table: Table) -> str:
    heads = "".join(f'<th style="{CELL}">{_text(head)}</th>' for head in table.columns)
    rows = "".join(
        "<tr>" + "".join(f'<td style="{CELL}">{_text(text_of(cell))}</td>' for cell in row) + "</tr>"
        for row in table.rows
    )
    return (
        f"<p><b>{_text(table.title)}</b></p>"
        '<div style="overflow-x: auto"><table style="border-collapse: collapse">'
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
        f'<p style="{SOFT}">{_text(table.note)}</p>'
    )


def _text(text: str) -> str:
    return escape(printable(text))
