"""The 2004 simulation's fits and forecasts: 3 x 40 truths x 3 sizes, 1000 rows to forecast."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from sklearn.naive_bayes import CategoricalNB

from generators import random_aode, random_naive_bayes, random_tan
from learners import AODEClassifier, NaiveBayesClassifier, TANClassifier
from workbench.optimal.classifier import OptimalClassifier

MODELS, SIZES, N_TEST = 40, (50, 500, 5000), 1000
PEER_MODELS = (13, 27)  # of each kind, for peers that would take over 20 s


@dataclass(frozen=True)
class Case:
    """One training table and its test rows, as frames and as integer codes."""

    kind: int
    model: int
    arities: np.ndarray
    X: Any
    y: Any
    codes: np.ndarray
    y_codes: np.ndarray
    X_test: Any
    test_codes: np.ndarray


@cache
def cases() -> list[Case]:
    return list(_draw())


def _draw() -> Iterator[Case]:
    for kind, draw in enumerate((random_naive_bayes, random_tan, random_aode)):
        for model in range(MODELS):
            truth = draw(random_state=1000 * kind + model)
            X_test, _ = truth.sample(N_TEST, random_state=model)
            arities = np.array([len(X_test[name].cat.categories) for name in X_test])
            for size in SIZES:
                X, y = truth.sample(size, random_state=model + 1)
                yield Case(
                    kind,
                    model,
                    arities,
                    X,
                    y,
                    _codes(X),
                    y.cat.codes.to_numpy().astype(int),
                    X_test,
                    _codes(X_test),
                )


def _codes(X: Any) -> np.ndarray:
    return np.column_stack([X[name].cat.codes for name in X]).astype(np.int64)


OURS = (NaiveBayesClassifier, TANClassifier, AODEClassifier)


def ours_from_frames() -> None:
    for case in cases():
        for Learner in OURS:
            Learner().fit(case.X, case.y).predict_proba(case.X_test)


def ours_from_codes() -> None:
    for case in cases():
        for Learner in OURS:
            Learner(arities=case.arities).fit(case.codes, case.y_codes).predict_proba(case.test_codes)


@cache
def attribute_spaces() -> dict[tuple[int, int], tuple[Any, Any]]:
    """Law and attribute space of each truth of naive Bayes and TAN."""
    makers = enumerate((random_naive_bayes, random_tan))
    truths = {
        (kind, model): draw(random_state=1000 * kind + model)
        for kind, draw in makers
        for model in range(MODELS)
    }
    return {place: (truth.law, truth.enumerate().X) for place, truth in truths.items()}


def optimal_on_whole_spaces() -> None:
    for case in cases():
        if (case.kind, case.model) in attribute_spaces():
            law, cells = attribute_spaces()[case.kind, case.model]
            OptimalClassifier(law).fit(case.X, case.y).predict_proba(cells)


def categorical_nb() -> None:
    for case in cases():
        CategoricalNB(min_categories=case.arities).fit(case.codes, case.y_codes).predict_proba(
            case.test_codes
        )


def scikit_bayes_aode() -> None:
    from skbn import AnDE

    for case in cases():
        AnDE(n_dependence=1).fit(case.codes, case.y_codes).predict_proba(case.test_codes)


def pgmpy_naive_bayes() -> None:
    for case in cases():
        if case.model in PEER_MODELS:
            _pgmpy(case, tan=False)


def pgmpy_tan() -> None:
    for case in cases():
        if case.model in PEER_MODELS:
            _pgmpy(case, tan=True)


def _pgmpy(case: Case, tan: bool) -> None:
    from pgmpy.estimators import TreeSearch
    from pgmpy.models import DiscreteBayesianNetwork
    from pgmpy.parameter_estimator import DiscreteBayesianEstimator

    table = case.X.assign(y=case.y).astype(str)
    arcs = [("y", name) for name in case.X]
    if tan:
        arcs = (
            TreeSearch(table, root_node="x0")
            .estimate(estimator_type="tan", class_node="y", show_progress=False)
            .edges()
        )
    states = {name: [str(s) for s in case.X[name].cat.categories] for name in case.X}
    states["y"] = [str(s) for s in case.y.cat.categories]
    model = DiscreteBayesianNetwork(arcs)
    model.fit(
        table,
        estimator=DiscreteBayesianEstimator(prior_type="dirichlet", pseudo_counts=1, state_names=states),
    )
    model.predict_probability(case.X_test.astype(str))
