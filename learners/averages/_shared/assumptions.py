"""Assumptions about the attributes and the class by name, and reports on their evidence."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import pandas as pd

from learners.shown_text import ShownText, number_text

__all__ = ["ASSUMPTIONS", "explanation"]

BIT = math.log(2)
#: Odds up to this are "not worth more than a bare mention": Kass and Raftery, "Bayes factors", 1995, 3.2.
BARE_MENTION = 3.0


@dataclass(frozen=True)
class Assumption:
    """An assumption with its description."""

    label: str
    meaning: str
    from_counts: bool  # whether counts of pairs of values are all that it needs of the rows


#: The assumptions that can be averaged.
ASSUMPTIONS: Mapping[str, Assumption] = MappingProxyType(
    {
        "naive_bayes": Assumption("naive Bayes", "attributes are independent given the class", True),
        "tan": Assumption("a tree among the attributes", "each depends on the class and one other", True),
        "kdb": Assumption("two parents", "attributes depend on the class and two others", False),
        "dag": Assumption("a network", "attributes and class, each with up to {max_parents} parents", False),
    }
)


def explanation(
    table: pd.DataFrame,
    left_out: Mapping[str, str],
    n_rows: float,
    *,
    max_parents: int,
    has_missing_values: bool,
    has_cut_points: bool,
) -> ShownText:
    """Report the assumption favored by the rows, its lead, and the assumptions left out with reasons."""
    meanings = {name: one.meaning.format(max_parents=max_parents) for name, one in ASSUMPTIONS.items()}
    lines = [*_found(table, n_rows, meanings)]
    if has_missing_values and set(table.index) != {"naive_bayes"}:
        lines.append("Training values are missing, so only the evidence of naive Bayes is exact.")
    if has_cut_points:
        lines.append("The classes determined the cut points of numeric columns, without a penalty for that.")
    lines += [f"Left out: {ASSUMPTIONS[name].label} ({why})." for name, why in left_out.items()]
    return ShownText("\n".join(lines))


def _found(table: pd.DataFrame, n_rows: float, meanings: Mapping[str, str]) -> Iterator[str]:
    """Yield the most probable assumption and its basis."""
    rows = f"From {number_text(n_rows)} row{'' if n_rows == 1 else 's'}"
    if len(table) == 1:
        bits = table["log_evidence"].iloc[0] / BIT
        yield f"The only assumption is {ASSUMPTIONS[table.index[0]].label} (log evidence {bits:.1f} bits)."
        yield f"{rows}."
    elif table["beforehand"].nunique() == 1:
        yield _verdict("the data", table["posterior"])
        yield from _lines(table, meanings)
        yield f"{rows}, with equal prior probabilities."
    else:
        shares = ", ".join(f"{name} {share:.2g}" for name, share in table["beforehand"].items())
        yield _verdict("the data and the weights", table["posterior"])
        yield from _lines(table, meanings)
        yield f"{rows}, with the prior probabilities {shares}."


def _verdict(who: str, posterior: pd.Series) -> str:
    """Report the most probable assumption, unless others are nearly as probable."""
    likely = posterior[posterior * BARE_MENTION >= posterior.max()]
    *others, last = (ASSUMPTIONS[name].label for name in likely.index)
    if others:
        return f"{who[0].upper()}{who[1:]} do not decide between {', '.join(others)} and {last}."
    probability = _probability(likely.iloc[0]).replace(">", "over ")
    return f"Most probable by {who}: {last}, with probability {probability}."


def _lines(table: pd.DataFrame, meanings: Mapping[str, str]) -> Iterator[str]:
    """Yield a line for each assumption: its content, posterior and evidence."""
    bits = table["log_evidence"] / BIT
    for name, own in bits.items():
        one, behind = ASSUMPTIONS[name], bits.max() - own
        evidence = f"{behind:.1f} bits less" if behind > 0 else f"{own:.1f} bits"
        posterior = _probability(table.loc[name, "posterior"])
        yield f"  {posterior:5}  {one.label}: {meanings[name]} (log evidence {evidence})"


def _probability(share: float) -> str:
    """Return a probability with two decimals that never reads as 0 or 1."""
    if share < 0.005:
        return "<0.01"
    return ">0.99" if share >= 0.995 else f"{share:.2f}"
