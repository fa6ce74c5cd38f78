"""Bias and variance as lines of text for the command line."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.analyses import BiasVariance
from workbench.analyses._shared.refitted_bias import refitted_bias
from workbench.report.renderers.text_table import aligned

if TYPE_CHECKING:
    from workbench.results import Results
    from workbench.study.study import Study

__all__ = ["bias_lines", "refitted_lines"]

#: Words of the measures that have an interval.
MEASURES = ("loss", "bias", "variance")
#: A loss that is shown as 0 is rounding alone, and has no shares.
SMALLEST = 0.5e-4
INPUTS = {"exact": "over all inputs", "test": "on test rows"}


def bias_lines(
    results: "Results",
    *,
    loss: str = "kl",
    cutoff: str = "none",
    learners: Sequence[str] | None = None,
    source: str | None = None,
) -> Iterator[str]:
    """Print bias and variance of each learner, from the predictions that a store keeps."""
    found = BiasVariance.of(results, loss=loss, cutoff=cutoff, learners=learners, source=source)  # type: ignore[arg-type]
    yield from _lines([found])


def refitted_lines(study: "Study", **options: Any) -> Iterator[str]:
    """Print bias and variance of each learner of a study, fitted again."""
    yield from _lines(refitted_bias(study, **options))


def _lines(parts: Sequence[BiasVariance]) -> Iterator[str]:
    for found in parts:
        n_sets = found.table["n_sets"].max()
        yield f"{found.name} [{found.unit}], {n_sets} training sets, {INPUTS[found.rows]}"
        yield from aligned(_rows(found), words=(0, 1))
    yield "bias and variance corrected for the finite number of training sets; in brackets 95% intervals"
    yield from dict.fromkeys(note for found in parts for note in found.notes)


def _rows(found: BiasVariance) -> list[list[str]]:
    lines = [["", "", "rows", *MEASURES, "share of variance", "truths"]]
    for row in found.table.to_dict("records"):
        cells = [_with_interval(row[m], row[f"{m}_low"], row[f"{m}_high"]) for m in MEASURES]
        nothing = np.isnan(row["variance_share"]) or abs(row["loss"]) < SMALLEST
        share = "-" if nothing else f"{row['variance_share']:.0%}"
        lines.append([row["source"], row["learner"], str(row["n_train"]), *cells, share, str(row["n"])])
    return lines


def _with_interval(value: float, low: float, high: float) -> str:
    return f"{value:z.4f}" if np.isnan(low) else f"{value:z.4f} ({low:z.4f}, {high:z.4f})"
