"""Message lengths of the parts of a network, as tables and text."""

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from learners.networks.message import MessageLength
from learners.networks.search.problem import NetworkProblem

__all__ = ["arc_savings", "in_fixed_decimals", "message_in_words", "variable_costs"]

BIT = math.log(2)
SHARES = ("posterior", "reverse", "spread", "explained")  # columns of probabilities; other numbers are bits

Parents = tuple[tuple[int, ...], ...]


def variable_costs(
    problem: NetworkProblem,
    parents: Parents,
    names: Sequence[str],
    message: MessageLength,
    parameter_words: str,
) -> pd.DataFrame:
    """Return the message length of each variable."""
    arc_costs = problem.arc_costs.at(message.arc_probability) / BIT
    rows = []
    for v, others in enumerate(parents):
        alone = problem.family_cost(v, ()) / BIT
        stated, values = float(message.parameters[v]), float(message.data[v])
        arcs = float(arc_costs[list(others), v].sum())
        saved = alone - stated - values - arcs if others else 0.0
        parent_names = ", ".join(names[u] for u in others)
        rows.append((parent_names, stated, values, alone, saved))
    columns = ["parents", parameter_words, "values", "without_parents", "saved"]
    return pd.DataFrame(rows, index=pd.Index(names, name="variable"), columns=columns)


def arc_savings(problem: NetworkProblem, parents: Parents, arc_probability: float) -> pd.DataFrame:
    """Return the increase of the message length without each arc, as if no arc were required."""
    arc_costs: NDArray[np.float64] = problem.arc_costs.at(arc_probability)
    indirect = problem.arc_costs.indirect
    relations = 0.0 if indirect is None else indirect.length(parents, arc_probability)
    rows = []
    for v, others in enumerate(parents):
        whole = problem.family_cost(v, others)
        for u in others:
            fewer = tuple(w for w in others if w != u)
            saved = problem.family_cost(v, fewer) - whole - float(arc_costs[u, v])
            if indirect is not None:
                graph = (*parents[:v], fewer, *parents[v + 1 :])
                saved += indirect.length(graph, arc_probability) - relations
            rows.append((u, v, saved / BIT))
    return pd.DataFrame(rows, columns=["parent", "child", "bits_saved"])


def message_in_words(
    problem: NetworkProblem, parents: Parents, message: MessageLength, parameter_words: str
) -> list[str]:
    """Describe the message: its parts, and the number of joined pairs."""
    arc_costs, n_nodes = problem.arc_costs, problem.n_nodes
    free, possible = arc_costs.n_free_arcs(parents), arc_costs.n_pairs
    others, with_opinion = sum(map(len, parents)) - free, n_nodes * (n_nodes - 1) // 2 - possible
    lines = [
        f"{message.total:.1f} bits: {message.structure:.1f} for the arcs, "
        f"{message.parameters.sum():.1f} for the {parameter_words}, "
        f"{message.data.sum():.1f} for the values of {problem.n_rows} rows."
    ]
    if possible or not with_opinion:
        which = " without an opinion" if with_opinion else ""
        probability = f"an arc has probability {message.arc_probability:.3g}"
        lines.append(f"{free} of {_pairs(possible)}{which} joined; {probability}.")
    if with_opinion:
        effect = "; where opinions favor the network, they take bits off the arcs" if others else ""
        lines.append(f"{others} of {_pairs(with_opinion)} with an opinion joined{effect}.")
    if arc_costs.indirect is not None:
        nats = arc_costs.indirect.length(parents, message.arc_probability)
        lines.append(
            f"Of the bits for the arcs, {nats / BIT:.1f} are for opinions on relations and the order."
        )
    return lines


def in_fixed_decimals(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table as text: bits with one decimal, probabilities with two."""
    floats = table.select_dtypes("float")
    return table.assign(
        **{name: floats[name].map(f"{{:.{2 if name in SHARES else 1}f}}".format) for name in floats}
    )


def _pairs(number: int) -> str:
    return f"{number} pair{'' if number == 1 else 's'}"
