"""A profile as a notebook shows it: the paragraph, the map in small, and what else can be asked."""

from html import escape

from workbench.base.text import printable
from workbench.profiles.entrants import profiled_name
from workbench.profiles.findings import ProfileFindings
from workbench.profiles.kinds import ALL
from workbench.profiles.paragraph import sentences_of
from workbench.profiles.words import kind_words, place_words

__all__ = ["notebook_html"]

CELL = "padding: .2em .7em; text-align: right; white-space: nowrap"
SOFT = "opacity: .75; font-size: .9em; max-width: 62em"
ASK = (
    "<code>.report(&quot;profile.html&quot;)</code> writes the whole profile. "
    "<code>.plot(&quot;probes&quot;)</code> draws the loss as assumptions fail. <code>.tables</code> holds "
    "the numbers."
)


def notebook_html(profile: ProfileFindings) -> str:
    """Write the display as HTML that needs no style sheet."""
    notes = "".join(f'<p style="{SOFT}">{_text(note)}</p>' for note in profile.notes)
    return (
        f"<div><p><b>Profile of {_text(profiled_name(profile.learner))}</b></p>"
        f'<p style="max-width: 62em">{_text(" ".join(sentences_of(profile)))}</p>{_table(profile)}{notes}'
        f'<p style="{SOFT}">{ASK}</p></div>'
    )


def _table(profile: ProfileFindings) -> str:
    table = profile.kinds.table
    sizes = sorted(table["n_train"].unique())
    heads = "".join(f'<th style="{CELL}">{size:,} rows</th>' for size in sizes)
    rows = []
    for kind in dict.fromkeys(table["kind"]):
        own = table[table["kind"] == kind].set_index("n_train")
        cells = "".join(
            f'<td style="{CELL}">{own.loc[size, "regret"]:.3f}<br><small>'
            f"{place_words(own.loc[size, 'rank_low'], own.loc[size, 'rank_high'], own.loc[size, 'n_ranked'])}"
            "</small></td>"
            if size in own.index
            else "<td></td>"
            for size in sizes
        )
        name = kind if kind == ALL else kind_words(kind)
        rows.append(f'<tr><th style="text-align: left">{_text(name)}</th>{cells}</tr>')
    return (
        '<div style="overflow-x: auto"><table style="border-collapse: collapse">'
        f"<thead><tr><th></th>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
        f'<p style="{SOFT}">Regret in bits relative to the optimum, or to the truth where no optimum is '
        "known, and the rank among the reference learners.</p>"
    )


def _text(text: str) -> str:
    return escape(printable(text))
