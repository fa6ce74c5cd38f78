"""Networks to and from networkx and pgmpy, which are imported only here and only when needed."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from generators.base.factorization import Factorization

if TYPE_CHECKING:
    import networkx

__all__ = [
    "gaussian_networkx_arguments",
    "gaussian_pgmpy_arguments",
    "gaussian_to_networkx",
    "gaussian_to_pgmpy",
    "networkx_arguments",
    "pgmpy_arguments",
    "quiet_imports",
    "to_networkx",
    "to_pgmpy",
]


def to_networkx(network: Factorization) -> networkx.DiGraph:
    """Return a DiGraph whose nodes have `states`, `parents` and `cpt`, and whose graph has `class_name`."""
    import networkx

    graph = networkx.DiGraph(class_name=network.class_name)
    for name, states, parents, cpt in zip(
        network.names, network.states, network.parent_indices, network.cpts, strict=True
    ):
        graph.add_node(
            name, states=states, parents=tuple(network.names[parent] for parent in parents), cpt=cpt
        )
    for child, parents in zip(network.names, network.parent_indices, strict=True):
        graph.add_edges_from((network.names[parent], child) for parent in parents)
    return graph


def networkx_arguments(graph: networkx.DiGraph) -> dict[str, Any]:
    """Return the arguments of `Network` that a DiGraph describes."""
    names = list(graph.nodes)
    for name, data in graph.nodes(data=True):
        for key in ("states", "cpt"):
            if key not in data:
                raise ValueError(
                    f"the node {name!r} has no attribute {key!r}: give every node states and cpt"
                )
        predecessors = list(graph.predecessors(name))
        if set(data.get("parents", predecessors)) != set(predecessors):
            raise ValueError(
                f"the parents of the node {name!r} are {data['parents']} and the graph's arcs come from "
                f"{predecessors}: make them agree"
            )
    class_name = graph.graph.get("class_name")
    if class_name is not None and class_name not in names:
        raise ValueError(
            f"the graph's class_name is {class_name!r}, which is not a node: expected one of {names}"
        )
    return {
        "names": names,
        "states": [graph.nodes[name]["states"] for name in names],
        "parent_indices": [
            [names.index(parent) for parent in graph.nodes[name].get("parents", graph.predecessors(name))]
            for name in names
        ],
        "cpts": [graph.nodes[name]["cpt"] for name in names],
        "class_index": None if class_name is None else names.index(class_name),
    }


@contextmanager
def quiet_imports() -> Iterator[None]:
    """Import pgmpy without the warnings of what it imports, such as that of tqdm in notebooks."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def to_pgmpy(network: Factorization) -> Any:
    """Return a pgmpy DiscreteBayesianNetwork with the same variables, states and CPTs."""
    with quiet_imports():
        from pgmpy.factors.discrete import TabularCPD
        from pgmpy.models import DiscreteBayesianNetwork

    model = DiscreteBayesianNetwork()
    model.add_nodes_from(network.names)
    for child, (name, parents) in enumerate(zip(network.names, network.parent_indices, strict=True)):
        model.add_edges_from((network.names[parent], name) for parent in parents)
        family = (*parents, child)
        cpd = TabularCPD(
            variable=name,
            variable_card=len(network.states[child]),
            values=network.cpts[child].reshape(-1, len(network.states[child])).T,
            evidence=[network.names[parent] for parent in parents],
            evidence_card=[len(network.states[parent]) for parent in parents],
            state_names={network.names[variable]: list(network.states[variable]) for variable in family},
        )
        model.add_cpds(cpd)
    return model


def pgmpy_arguments(model: Any) -> dict[str, Any]:
    """Return the arguments of `Network` that a pgmpy network describes."""
    names = list(model.nodes())
    cpds = {name: model.get_cpds(name) for name in names}
    for name, cpd in cpds.items():
        if cpd is None:
            raise ValueError(f"the node {name!r} has no CPD: add one to every node")
    states = {name: list(cpd.state_names[name]) for name, cpd in cpds.items()}
    return {
        "names": names,
        "states": [states[name] for name in names],
        "parent_indices": [[names.index(parent) for parent in cpds[name].variables[1:]] for name in names],
        "cpts": [_cpt(cpds[name], states) for name in names],
    }


def _cpt(cpd: Any, states: dict[str, list[Any]]) -> Any:
    """Return a CPD with the child last, and each parent's states in the order of the parent's CPD."""
    values = np.asarray(cpd.values, dtype=np.float64)
    for axis, parent in enumerate(cpd.variables[1:], start=1):
        values = values.take([cpd.state_names[parent].index(state) for state in states[parent]], axis=axis)
    return np.moveaxis(values, 0, -1)


def gaussian_to_networkx(
    names: Sequence[str],
    parents: Sequence[Sequence[int]],
    coefficients: Sequence[NDArray[np.float64]],
    intercepts: NDArray[np.float64],
    deviations: NDArray[np.float64],
) -> networkx.DiGraph:
    """Return a DiGraph whose nodes have `intercept` and `deviation`, and whose arcs have `coefficient`."""
    import networkx

    graph = networkx.DiGraph()
    for name, intercept, deviation in zip(names, intercepts.tolist(), deviations.tolist(), strict=True):
        graph.add_node(name, intercept=intercept, deviation=deviation)
    for child, others, weights in zip(names, parents, coefficients, strict=True):
        for parent, weight in zip(others, weights.tolist(), strict=True):
            graph.add_edge(names[parent], child, coefficient=weight)
    return graph


def gaussian_networkx_arguments(graph: networkx.DiGraph) -> dict[str, Any]:
    """Return the arguments of `GaussianNetwork` that a DiGraph describes."""
    if not graph.is_directed():
        raise ValueError("the graph is not directed: expected a networkx.DiGraph")
    names = list(graph.nodes)
    for name, data in graph.nodes(data=True):
        if "deviation" not in data:
            raise ValueError(f"the node {name!r} has no attribute 'deviation': give every node a deviation")
    for parent, child, data in graph.edges(data=True):
        if "coefficient" not in data:
            raise ValueError(
                f"the arc {parent!r} -> {child!r} has no attribute 'coefficient': give every arc a "
                "coefficient"
            )
    parents = [list(graph.predecessors(name)) for name in names]
    return {
        "names": names,
        "parent_indices": [[names.index(parent) for parent in own] for own in parents],
        "coefficients": [
            [graph.edges[parent, name]["coefficient"] for parent in own]
            for name, own in zip(names, parents, strict=True)
        ],
        "deviations": [graph.nodes[name]["deviation"] for name in names],
        "intercepts": [graph.nodes[name].get("intercept", 0.0) for name in names],
    }


def gaussian_to_pgmpy(
    names: Sequence[str],
    parents: Sequence[Sequence[int]],
    coefficients: Sequence[NDArray[np.float64]],
    intercepts: NDArray[np.float64],
    deviations: NDArray[np.float64],
) -> Any:
    """Return a pgmpy LinearGaussianBayesianNetwork with the same variables and coefficients."""
    with quiet_imports():
        from pgmpy.factors.continuous import LinearGaussianCPD
        from pgmpy.models import LinearGaussianBayesianNetwork

    model = LinearGaussianBayesianNetwork()
    model.add_nodes_from(names)
    for child, others in enumerate(parents):
        above = [names[parent] for parent in others]
        model.add_edges_from((parent, names[child]) for parent in above)
        beta = [float(intercepts[child]), *coefficients[child].tolist()]
        model.add_cpds(LinearGaussianCPD(names[child], beta, float(deviations[child]), above))
    return model


def gaussian_pgmpy_arguments(model: Any) -> dict[str, Any]:
    """Return the arguments of `GaussianNetwork` that a pgmpy network describes."""
    names = list(model.nodes())
    cpds = [model.get_cpds(name) for name in names]
    for name, cpd in zip(names, cpds, strict=True):
        if cpd is None:
            raise ValueError(f"the node {name!r} has no CPD: add one to every node")
    return {
        "names": names,
        "parent_indices": [[names.index(parent) for parent in cpd.evidence] for cpd in cpds],
        "coefficients": [list(cpd.beta[1:]) for cpd in cpds],
        "deviations": [float(cpd.std) for cpd in cpds],
        "intercepts": [float(cpd.beta[0]) for cpd in cpds],
    }
