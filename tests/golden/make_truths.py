"""Write the golden truths: run it when a stream moves, and say why in the commit."""

import json
from pathlib import Path

import numpy as np

from generators import (
    add_irrelevant,
    add_label_noise,
    add_missing,
    add_redundant,
    make_numeric,
    random_dag_with_class,
    random_decision_graph,
    random_decision_tree,
    random_gaussian_aode,
    random_gaussian_naive_bayes,
    random_gaussian_tan,
    random_kdb,
    random_rules,
    random_tan,
)

HERE = Path(__file__).resolve().parent
SEED = 2004


def _base():
    return random_tan(n_attributes=4, n_classes=3, random_state=SEED)


TRUTHS = {
    "kdb": lambda: random_kdb(random_state=SEED),
    "dag": lambda: random_dag_with_class(random_state=SEED),
    "decision_tree": lambda: random_decision_tree(random_state=SEED),
    "decision_tree_binary": lambda: random_decision_tree(split="binary", max_parents=2, random_state=SEED),
    "decision_graph": lambda: random_decision_graph(n_relevant=3, random_state=SEED),
    "rules": lambda: random_rules(random_state=SEED),
    "gaussian_naive_bayes": lambda: random_gaussian_naive_bayes(random_state=SEED),
    "gaussian_tan": lambda: random_gaussian_tan(n_attributes=4, random_state=SEED),
    "gaussian_aode": lambda: random_gaussian_aode(n_attributes=3, random_state=SEED),
    "irrelevant": lambda: add_irrelevant(_base(), 2, random_state=SEED),
    "redundant": lambda: add_redundant(_base(), 5, random_state=SEED),
    "label_noise": lambda: add_label_noise(_base(), 0.2),
    "missing_completely_at_random": lambda: add_missing(_base(), 0.3, random_state=SEED),
    "missing_at_random": lambda: add_missing(_base(), 0.3, mechanism="at_random", random_state=SEED),
    "missing_not_at_random": lambda: add_missing(_base(), 0.3, mechanism="not_at_random", random_state=SEED),
    "numeric_cuts": lambda: make_numeric(_base(), 3, random_state=SEED),
}


def golden_truth(truth):
    """Return the document of a truth, three of its rows, and their posteriors."""
    X, y = truth.sample(3, 7)
    return {
        "document": json.loads(truth.to_json()),
        "rows": [
            [None if value != value else value for value in row] for row in X.to_numpy(dtype=object).tolist()
        ],
        "classes": np.asarray(y).tolist(),
        "posterior": truth.posterior(X).tolist(),
    }


def golden_truths():
    """Return all golden truths by their key."""
    return {key: golden_truth(make()) for key, make in TRUTHS.items()}


if __name__ == "__main__":
    lines = [f"{json.dumps(key)}: {json.dumps(found)}" for key, found in golden_truths().items()]
    (HERE / "truths.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
