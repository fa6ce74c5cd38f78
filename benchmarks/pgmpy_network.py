"""Naive Bayes and TAN as pgmpy makes them, under scikit-learn's names."""

from typing import Any

import numpy as np
import pandas as pd


class Network:
    """A class `y` over coded attributes; `tan` lets pgmpy look for the tree."""

    def __init__(self, arities: np.ndarray, tan: bool) -> None:
        self.arities = arities
        self.tan = tan

    def fit(self, codes: np.ndarray, y: pd.Series) -> "Network":
        from pgmpy.estimators import TreeSearch
        from pgmpy.models import DiscreteBayesianNetwork
        from pgmpy.parameter_estimator import DiscreteBayesianEstimator

        table = _frame(codes).assign(y=y.astype(str).to_numpy())
        arcs: Any = [("y", name) for name in table.columns[:-1]]
        if self.tan:
            search = TreeSearch(table, root_node="x0")
            arcs = search.estimate(estimator_type="tan", class_node="y", show_progress=False).edges()
        states = {f"x{j}": [str(v) for v in range(arity)] for j, arity in enumerate(self.arities)}
        states["y"] = [str(value) for value in y.cat.categories]
        self.model = DiscreteBayesianNetwork(arcs)
        estimator = DiscreteBayesianEstimator(prior_type="dirichlet", pseudo_counts=1, state_names=states)
        self.model.fit(table, estimator=estimator)
        return self

    def predict_proba(self, codes: np.ndarray) -> Any:
        return self.model.predict_probability(_frame(codes))


def _frame(codes: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame(codes.astype(str), columns=[f"x{j}" for j in range(codes.shape[1])]).astype(object)
