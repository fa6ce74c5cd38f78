"""All checks, in the order of the table."""

from collections.abc import Callable
from dataclasses import dataclass

from workbench.invariances import columns, orders, traits
from workbench.invariances.finding import NOT_APPLICABLE, Finding
from workbench.invariances.pairs import Pair, compare_pairs
from workbench.invariances.rows import NOMINAL, NUMERIC
from workbench.invariances.trials import OWN, Trials

__all__ = ["CHECKS", "Check"]


@dataclass(frozen=True)
class Check:
    """One check."""

    name: str
    frame: str  # with the words: what is changed, in a sentence; neighbors share the frame
    words: str
    rows: str  # kind of rows
    find: Callable[[Trials], Finding]

    def kind(self, trials: Trials) -> str:
        """Return the kind of rows, in the words of the table."""
        return NUMERIC if trials.kind(self.rows) == NUMERIC else NOMINAL


def _paired(name: str, frame: str, words: str, rows: str, pair: Pair) -> Check:
    return Check(
        name, frame, words, rows, lambda trials: compare_pairs(trials, trials.kind(rows), name, pair)
    )


def _find_weights(trials: Trials) -> Finding:
    if not trials.fits.takes_weights:
        return Finding(NOT_APPLICABLE, note="no sample_weight", sentence="Takes no sample_weight.")
    return compare_pairs(trials, trials.kind(OWN), "weights", orders.weights)


CHECKS: tuple[Check, ...] = (
    Check("refit", "{}", "a refit", OWN, traits.find_noise),
    _paired("order of rows", "the order of {}", "rows", OWN, orders.row_order),
    _paired("order of columns", "the order of {}", "columns", OWN, orders.column_order),
    _paired("names of values", "the names of {}", "values", NOMINAL, orders.value_names),
    _paired("names of classes", "the names of {}", "classes", OWN, orders.class_names),
    Check("weights", "{}", "weights in place of repeated rows", OWN, _find_weights),
    _paired("constant column", "{}", "a constant column", OWN, columns.constant_column),
    _paired("copied column", "{}", "a copied column", OWN, columns.copied_column),
    _paired("irrelevant column", "{}", "an irrelevant column", OWN, columns.irrelevant_column),
    _paired("linear transform", "{} transforms of numbers", "linear", NUMERIC, columns.linear_transform),
    _paired(
        "monotone transform", "{} transforms of numbers", "monotone", NUMERIC, columns.monotone_transform
    ),
    Check("use of columns", "{}", "shuffled columns", OWN, traits.find_ignored),
    Check("memory", "{}", "labels that are noise", OWN, traits.find_memory),
)
