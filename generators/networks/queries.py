"""Queries by names and states: posteriors given evidence, most probable states, CPTs."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from generators.base.factorization import Factorization
from generators.base.probabilities import log_sum
from generators.base.validation import shown
from generators.base.variables import Variables
from generators.networks.directed_graph import check_requested, listed, place_of
from generators.networks.enumeration import cell_codes
from generators.networks.inference import log_joint_table, most_probable_codes
from generators.networks.truth import Truth
from generators.tables.codes import MISSING

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "Evidence",
    "MostProbable",
    "cpt_table",
    "joint_posterior",
    "most_probable_states",
    "states_given",
]

MOST_ANSWERS = 1_000_000


class Evidence(Protocol):
    """Evidence by names and states: a mapping, or a pandas Series such as part of a table's row."""

    def items(self) -> Iterable[tuple[Any, Any]]:
        """Return pairs of a name and a state."""


@dataclass(frozen=True)
class MostProbable:
    """The most probable joint states of all variables without evidence."""

    states: dict[str, Any]  # by name, in the order of the variables
    probability: float  # of these states together, given the evidence


def joint_posterior(truth: Truth, variables: str | Sequence[str], evidence: Evidence | None) -> pd.Series:
    """Return the joint distribution of some variables given evidence (see `Network.query`)."""
    import pandas as pd

    if not isinstance(variables, Iterable):
        raise ValueError(
            f"variables is {shown(variables)}: expected a name or a list of names, such as {truth.names[0]!r}"
        )
    names = [variables] if isinstance(variables, str) else list(variables)
    places = [place_of(truth.names, name) for name in names]
    given = states_given(evidence)
    seen = _coded(truth, given)
    check_requested(names, places, seen)
    _check_n_answers(truth, names, places)
    *rest, last = places
    codes = cell_codes(truth.arities[rest]).T.astype(np.intp) if rest else np.empty((0, 1), np.intp)
    columns = np.full((truth.n_variables, codes.shape[1]), MISSING, dtype=np.intp)
    columns[list(seen)] = np.array(list(seen.values()), dtype=np.intp)[:, np.newaxis]
    columns[rest] = codes
    # one elimination for all rows, since the same variables are missing in each
    logs = truth._log_joint_table(columns, last).ravel()
    total = float(log_sum(logs[np.newaxis], axis=1)[0])
    if np.isneginf(total):
        raise _impossible(given)
    return pd.Series(np.exp(logs - total), index=_index(truth, places), name="probability")


def most_probable_states(network: Factorization, evidence: Evidence | None) -> MostProbable:
    """Return the most probable states of all other variables (see `Network.most_probable`)."""
    given = states_given(evidence)
    seen = _coded(network, given)
    codes, log_joint = most_probable_codes(network, seen)
    if np.isneginf(log_joint):
        raise _impossible(given)
    columns = np.full((network.n_variables, 1), MISSING, dtype=np.intp)
    columns[list(seen), 0] = list(seen.values())
    log_evidence = float(log_joint_table(network, columns, None)[0, 0])
    states = {name: network.states[v][codes[v]] for v, name in enumerate(network.names) if v not in seen}
    # rounding may leave 1 + 1e-16 for what is certain
    return MostProbable(states, min(1.0, math.exp(log_joint - log_evidence)))


def cpt_table(network: Factorization, name: str) -> pd.DataFrame:
    """Return one conditional distribution as a table (see `Network.cpt`)."""
    import pandas as pd

    child = place_of(network.names, name)
    rows: NDArray[np.float64] = network.cpts[child].reshape(-1, len(network.states[child]))
    index = (
        _index(network, network.parent_indices[child]) if network.parent_indices[child] else pd.Index([""])
    )
    return pd.DataFrame(rows, index=index, columns=_labels(network, child))


def states_given(evidence: Evidence | None) -> dict[str, Hashable]:
    """Return evidence as a dictionary, or raise ValueError if it has no names and states."""
    if evidence is None:
        return {}
    if isinstance(evidence, Mapping):
        return dict(evidence.items())
    # a pandas Series is recognized by these; what is missing in a row was not observed
    if hasattr(evidence, "dropna") and getattr(evidence, "ndim", 0) == 1:
        return dict(evidence.dropna().items())
    raise ValueError(f'evidence is {shown(evidence)}: expected names and states, such as {{"rain": "yes"}}')


def _coded(variables: Variables, evidence: Mapping[str, Hashable]) -> dict[int, int]:
    """Return the code of each variable of the evidence."""
    seen = {}
    for name, state in evidence.items():
        place = place_of(variables.names, name)
        codes = {known: code for code, known in enumerate(variables.states[place])}
        try:
            seen[place] = codes[state]
        except (KeyError, TypeError):
            states = listed(map(shown, variables.states[place]))
            raise ValueError(f"{name!r} has no state {shown(state)}: expected one of {states}") from None
    return seen


def _check_n_answers(variables: Variables, names: Sequence[str], places: Sequence[int]) -> None:
    n_answers = math.prod(len(variables.states[place]) for place in places)
    if n_answers > MOST_ANSWERS:
        raise ValueError(
            f"the {len(names)} variables have {n_answers:,} combinations of states, more than "
            f"{MOST_ANSWERS:,}: request fewer variables"
        )


def _impossible(evidence: Mapping[str, Hashable]) -> ValueError:
    given = listed(f"{name}={shown(state)}" for name, state in evidence.items())
    return ValueError(f"the evidence {given} has probability 0: change or leave out one of its states")


def _index(variables: Variables, places: Sequence[int]) -> pd.Index:
    """Return the states of a variable, or the combinations of several, the last changing fastest."""
    import pandas as pd

    if len(places) == 1:
        return _labels(variables, places[0])
    # levels in the order of the states, so that unstacking keeps it
    levels = [_labels(variables, place) for place in places]
    codes = cell_codes(variables.arities[list(places)]).T
    names = [variables.names[place] for place in places]
    return pd.MultiIndex(levels=levels, codes=list(codes), names=names)


def _labels(variables: Variables, place: int) -> pd.Index:
    import pandas as pd

    return pd.Index(list(variables.states[place]), name=variables.names[place], tupleize_cols=False)
