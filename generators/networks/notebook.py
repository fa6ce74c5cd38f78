"""HTML representations of networks and mixtures in notebooks: facts, a picture, and probabilities on demand.

The text has the color of the page, so it is legible on dark and light pages. Only the text is needed to show
it.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from generators.base.factorization import Factorization
from generators.drawing.figure import component_title, network_svg
from generators.drawing.lettering import Drawable
from generators.networks.enumeration import cell_codes
from generators.networks.patterns import compelled_arcs

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "block",
    "cpts_html",
    "mixture_html",
    "network_html",
    "on_demand",
    "table_html",
    "title_lines",
]

MOST_VARIABLES, MOST_ARCS = 40, 80  # of a picture; larger networks are listed
MOST_ROWS, MOST_CELLS = 100, 5_000  # of a table, and of all CPTs together
MOST_PANELS = 4


class Shown(Drawable, Protocol):
    """A network with an HTML representation for notebooks."""

    def details_html(self) -> str:
        """Return probabilities or coefficients as HTML, on demand."""


def network_html(
    network: Shown,
    title: str,
    *,
    notes: Sequence[str] = (),
    kind: str = "dag",
    excluded: Collection[tuple[int, int]] = (),
    arc_posteriors: Any = None,
    posterior_source: str | None = None,
    tables: Mapping[str, pd.DataFrame] | None = None,
) -> str:
    """Return a network as HTML: title, notes, the picture of `Network.plot`, and tables on demand."""
    # `excluded`: arcs that prior knowledge excludes, see `compelled_arcs`; `tables` go by heading
    parts = [title_lines(title, notes)]
    if is_drawn(network):
        directed = compelled_arcs(network.parent_indices, excluded) if kind != "dag" else frozenset()
        parts.append(
            _picture(
                network_svg(
                    network,
                    kind=kind,
                    directed=directed,
                    arc_posteriors=arc_posteriors,
                    posterior_source=posterior_source,
                ),
                title,
            )
        )
    else:
        limits = f"{MOST_VARIABLES} variables or {MOST_ARCS} arcs"
        parts.append(f"<p>No picture of more than {limits} here; plot() draws it.</p>")
        parts.append(on_demand("Variables and their parents", _list_of(network)))
    parts += [on_demand(heading, table_html(frame)) for heading, frame in (tables or {}).items()]
    parts.append(network.details_html())
    return block(parts)


def cpts_html(network: Factorization) -> str:
    """Return the CPTs of a network as HTML, on demand."""
    return on_demand("Probabilities of each variable", _cpts(network))


def mixture_html(components: Sequence[Factorization], weights: NDArray[np.float64], title: str) -> str:
    """Return a mixture as HTML. All components are listed, and those with the largest weights are drawn."""
    heaviest = sorted(np.argsort(-weights, kind="stable")[:MOST_PANELS].tolist())
    heads = [component_title(one, i, float(w)).replace("\n", ", ") for i, (one, w) in
             enumerate(zip(components, weights, strict=True))]  # fmt: skip
    panels = [
        f'<figure style="margin:0 16px 8px 0">{_picture(network_svg(components[i]), heads[i])}'
        f"<figcaption>{escape(heads[i])}</figcaption></figure>"
        for i in heaviest
        if is_drawn(components[i])
    ]
    left = len(components) - len(panels)
    notes = [f"{left} of {len(components)} components are not drawn."] if left else []
    pictures = f'<div style="display:flex;flex-wrap:wrap;align-items:flex-end">{"".join(panels)}</div>'
    budget = MOST_CELLS // len(components)
    listed = [on_demand(head, _cpts(one, budget)) for head, one in zip(heads, components, strict=True)]
    more = f"<p>… and {len(listed) - MOST_ROWS} more.</p>" if len(listed) > MOST_ROWS else ""
    every = on_demand("Probabilities of each component", "".join(listed[:MOST_ROWS]) + more)
    return block([title_lines(title, notes), pictures, every])


def is_drawn(network: Drawable) -> bool:
    """Whether a network is small enough for a picture in a notebook."""
    return len(network.names) <= MOST_VARIABLES and sum(map(len, network.parent_indices)) <= MOST_ARCS


def table_html(frame: pd.DataFrame, *, words: bool = False) -> str:
    """Return a table with its index, shortened if long. Words are aligned to the left."""
    named = frame.index.names != [None] or not np.array_equal(frame.index, np.arange(len(frame)))
    index = [str(name or "") for name in frame.index.names] if named else []
    shown = frame.iloc[:MOST_ROWS]
    labels = [label if isinstance(label, tuple) else (label,) for label in shown.index]
    rows = (
        ((*label, *row) if named else row)
        for label, row in zip(labels, shown.itertuples(index=False, name=None), strict=True)
    )
    return _table([*index, *map(str, frame.columns)], rows, len(frame), words=words)


def block(parts: Iterable[str]) -> str:
    """Return parts of HTML as one output of a notebook."""
    return f'<div style="font-size:13px;line-height:1.5;overflow-x:auto">{"".join(parts)}</div>'


def title_lines(title: str, notes: Sequence[str] = ()) -> str:
    """Return a title, and lines below it."""
    rest = "".join(f"<br>{escape(note)}" for note in notes)
    return f'<p style="margin:0 0 6px 0"><strong>{escape(title)}</strong>{rest}</p>'


def _picture(svg: str, title: str) -> str:
    # style overrides the attributes width and height where the page is narrow
    label = escape(title, quote=True)
    return svg.replace(
        "<svg ", f'<svg role="img" aria-label="{label}" style="max-width:100%;height:auto" ', 1
    )


def on_demand(heading: str, content: str) -> str:
    """Return content that is shown when its heading is clicked."""
    return f'<details style="margin:2px 0 2px 12px"><summary>{escape(heading)}</summary>{content}</details>'


def _list_of(network: Drawable) -> str:
    rows = (
        (name, note, ", ".join(network.names[parent] for parent in parents))
        for name, note, parents in zip(network.names, network.node_notes, network.parent_indices, strict=True)
    )
    heads = ["variable", "", "parents"]
    return _table(heads, islice(rows, MOST_ROWS), len(network.names), words=True)


def _cpts(network: Factorization, most_cells: int = MOST_CELLS) -> str:
    """Return each CPT on demand, until there are too many cells."""
    parts: list[str] = []
    for child, name in enumerate(network.names):
        shape = network.cpts[child].shape
        n_rows = network.cpts[child].size // shape[-1]
        most_cells -= min(n_rows, MOST_ROWS) * (shape[-1] + len(shape) - 1)
        if most_cells < 0:
            parts.append(f"<p>… and {len(network.names) - child} more; cpt(name) returns each.</p>")
            break
        parents = ", ".join(network.names[parent] for parent in network.parent_indices[child])
        rows = f"{n_rows} row{'' if n_rows == 1 else 's'}"
        heading = f"P({name} | {parents}), {rows}" if parents else f"P({name})"
        parts.append(on_demand(heading, _cpt(network, child)))
    return "".join(parts)


def _cpt(network: Factorization, child: int) -> str:
    parents = network.parent_indices[child]
    flat = network.cpts[child].reshape(-1, len(network.states[child]))
    codes = cell_codes(network.arities[list(parents)])[:MOST_ROWS] if parents else np.empty((1, 0), int)

    def rows() -> Iterator[tuple[Hashable, ...]]:
        for combination, values in zip(codes.tolist(), flat.tolist(), strict=False):
            states = (network.states[parent][code] for parent, code in zip(parents, combination, strict=True))
            yield *states, *map(_probability, values)

    heads = [*(network.names[parent] for parent in parents), *map(str, network.states[child])]
    return _table(heads, rows(), len(flat))


def _probability(value: float) -> str:
    return f"{value:.0e}" if 0 < value < 0.0005 else f"{value:.3f}"


def _table(heads: Sequence[str], rows: Iterable[Sequence[Any]], n_rows: int, *, words: bool = False) -> str:
    # in each cell, since the style sheets of notebooks align cells, too
    style = ' style="text-align:left;vertical-align:top"' if words else ""
    head = "".join(f"<th{style}>{escape(word)}</th>" for word in heads)
    cells = ("".join(f"<td{style}>{escape(_word(cell))}</td>" for cell in row) for row in rows)
    body = "".join(f"<tr>{line}</tr>" for line in cells)
    more = f"<p>… of {n_rows:,} rows.</p>" if n_rows > MOST_ROWS else ""
    return (
        '<table cellpadding="3" style="border-collapse:collapse;font-size:inherit;color:inherit;'
        'text-align:right">'
        f'<thead style="border-bottom:1px solid"><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}'
    )


def _word(cell: Any) -> str:
    return f"{cell:.4g}" if isinstance(cell, float) else str(cell)
