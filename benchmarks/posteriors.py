"""Exact posteriors of truths in rows with missing values, next to pyAgrum and pgmpy.

This section alone: `python -m benchmarks --only posteriors`. The peers, too, compute the same numbers, which
is checked; they take one row at a time.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.report import Line, rounds
from generators import Network, random_dag_with_class, random_naive_bayes, random_tan
from learners import TANClassifier

Posterior = Callable[[NDArray[np.int64]], NDArray[np.float64]]

WIDTHS, ROWS, TRAINING, MISSING = (10, 20, 40), 200, 1000, 0.1
TRUTHS = {"naive Bayes": random_naive_bayes, "TAN": random_tan, "any arcs": random_dag_with_class}
PEER, PGMPY = "pyAgrum LazyPropagation", "pgmpy VariableElimination"
PGMPY_ROWS = 20
#: Of the seconds of pyAgrum; complete rows must not wait for those with holes.
BUDGET, COMPLETE = 0.1, 0.05


def lines() -> Iterator[Line]:
    for kind, draw in TRUTHS.items():
        for width in WIDTHS:
            truth = draw(n_attributes=width, arity=3, n_classes=3, random_state=1)
            yield from of_truth(f"{kind}, {width} attributes, {ROWS} rows, 10% missing", truth)


def of_truth(work: str, truth: Network) -> Iterator[Line]:
    complete = truth.sample_codes(ROWS, 1)[:, list(truth.attributes)].astype(np.int64)
    holed = np.where(np.random.default_rng(0).random(complete.shape) < MISSING, -1, complete)
    part, found = holed[:PGMPY_ROWS], truth.posterior(holed)
    agrum, pgmpy, tan = by_agrum(truth), by_pgmpy(truth), by_learner(truth)
    works = {
        PEER: lambda: agrum(holed),
        PGMPY: lambda: pgmpy(part),
        "ours": lambda: truth.posterior(holed),
        "ours, complete rows": lambda: truth.posterior(complete),
        "our TANClassifier": lambda: tan(holed),
    }
    np.testing.assert_allclose(agrum(holed), found, atol=1e-9)
    np.testing.assert_allclose(pgmpy(part), found[:PGMPY_ROWS], atol=1e-9)
    seconds, ratios = rounds(works)
    budgets = {"ours": BUDGET, "ours, complete rows": COMPLETE}
    for who in works:
        scale = ROWS / PGMPY_ROWS if who == PGMPY else 1.0
        note = f"SCALED by {scale:g}" if who == PGMPY else f"{1000 * seconds[who]:.2f} ms"
        yield Line(work, who, seconds[who] * scale, ratios[who] * scale, budgets.get(who), note)


def by_agrum(truth: Network) -> Posterior:
    import pyagrum

    pyagrum.setNumberOfThreads(1)
    network = pyagrum.BayesNet()  # not from our BIF, which it reads with seven digits
    for name, states in zip(truth.names, truth.states, strict=True):
        network.add(pyagrum.LabelizedVariable(name, "", [*map(str, states)]))
    for child, parents in enumerate(truth.parent_indices):
        for parent in parents:
            network.addArc(parent, child)
        axes = (*reversed(range(len(parents))), len(parents))
        network.cpt(child)[:] = np.ascontiguousarray(truth.cpts[child].transpose(axes))
    engine = pyagrum.LazyPropagation(network)
    engine.setTargets({truth.class_name})

    def posterior(codes: NDArray[np.int64]) -> NDArray[np.float64]:
        found = []
        for evidence in evidences(truth, codes):
            engine.setEvidence(evidence)
            engine.makeInference()
            found.append(engine.posterior(truth.class_name).toarray())
        return np.array(found)

    return posterior


def by_pgmpy(truth: Network) -> Posterior:
    from pgmpy.inference import VariableElimination

    engine = VariableElimination(truth.to_pgmpy())
    states = dict(zip(truth.names, truth.states, strict=True))

    def posterior(codes: NDArray[np.int64]) -> NDArray[np.float64]:
        found = []
        for evidence in evidences(truth, codes):
            named = {name: states[name][code] for name, code in evidence.items()}
            factor = engine.query([truth.class_name], evidence=named, show_progress=False)
            found.append([factor.get_value(**{truth.class_name: state}) for state in truth.classes])
        return np.array(found)

    return posterior


def evidences(truth: Network, codes: NDArray[np.int64]) -> Iterator[dict[str, Any]]:
    for row in codes.tolist():
        yield {name: code for name, code in zip(truth.attribute_names, row, strict=True) if code >= 0}


def by_learner(truth: Network) -> Posterior:
    X, y = truth.sample(TRAINING, random_state=2)
    places = [X[name].cat.codes.to_numpy() for name in X]
    return TANClassifier(categorical_features=range(X.shape[1])).fit(np.array(places).T, y).predict_proba
