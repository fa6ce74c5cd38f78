"""Networks, mixtures, tables and studies as hypothesis draws them: small, odd, and always valid."""

import json
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from generators import Mixture, Network, random_tan

__all__ = ["HOSTILE", "mixtures", "names", "networks", "states", "studies", "tables"]

#: Words that a format, a page or a terminal may take for its own.
HOSTILE = (
    "", " ", "a b", "'", '"', "`", "\\", "|", "$\\alpha$", "%", "{", "}", "[red]", "<script>", "]]>", "&amp;",
    '"onload=', "\\input{/etc/passwd}", "../../etc/passwd", "=1+1", "?", "NA", "nan", "None", "\0", "\n",
    "\t", "\x1b[31m", "\u202e", "\ufeff", "é", "日本", "🙂", "ſ", "x" * 300, "1", "1e5", "-0",
    "table", "_x20_",
)  # fmt: skip

words = st.sampled_from(HOSTILE) | st.text(max_size=6)
#: Values that JSON and BIF can say.
states = words | st.booleans() | st.integers(-3, 3) | st.floats(-2, 2, allow_nan=False)
#: What a study, a source or a learner may be called.
names = st.text("abcXYZ09_ .|<>&$`'\"\\{}[]#%~^éß", min_size=1, max_size=12).filter(str.strip)


@st.composite
def networks(draw: Any, *, max_variables: int = 5, max_arity: int = 4) -> Network:
    """Draw a random graph with CPTs of which some entries are zero and others nearly so."""
    labels = draw(st.lists(words, min_size=1, max_size=max_variables, unique=True))
    values = [draw(st.lists(states, min_size=1, max_size=max_arity, unique=True)) for _ in labels]
    order = draw(st.permutations(range(len(labels))))
    parents: list[tuple[int, ...]] = [()] * len(labels)
    for place, child in enumerate(order):
        above = st.lists(st.sampled_from(order[:place]), max_size=3, unique=True) if place else st.just([])
        parents[child] = tuple(draw(above))
    class_index = draw(st.none() | st.integers(0, len(labels) - 1))
    arities = [len(own) for own in values]
    return Network(labels, values, parents, draw(_cpts(arities, parents)), class_index)


@st.composite
def mixtures(draw: Any) -> Mixture:
    """Draw up to three networks over the same variables, and weights of which some may be zero."""
    first = draw(networks(max_variables=3, max_arity=3))
    n = draw(st.integers(1, 3))
    arities = first.arities.tolist()
    cpts = [draw(_cpts(arities, first.parent_indices)) for _ in range(n)]
    components = [
        Network(first.names, first.states, first.parent_indices, own, first.class_index) for own in cpts
    ]
    return Mixture(components, _row(draw(st.integers(0, 2**32)), n))


@st.composite
def tables(draw: Any) -> tuple[pd.DataFrame, pd.Series]:
    """Draw attributes of all types with holes, and classes; one row and one class are among them."""
    n_rows = draw(st.integers(1, 12))
    labels = draw(st.lists(words.filter(str.strip), min_size=1, max_size=4, unique=True))
    columns = {name: draw(_column(n_rows)) for name in labels}
    classes = draw(st.lists(words.filter(bool), min_size=1, max_size=3, unique=True))
    y = draw(st.lists(st.sampled_from(classes), min_size=n_rows, max_size=n_rows))
    return pd.DataFrame(columns), pd.Series(pd.Categorical(y, categories=classes), name="the class")


@st.composite
def studies(draw: Any) -> str:
    """Draw the TOML of a valid study that nobody need run."""
    import tomlkit

    learners = draw(st.lists(st.sampled_from(LEARNERS), min_size=1, max_size=3, unique_by=str))
    sources = draw(st.lists(st.sampled_from(SOURCES), min_size=1, max_size=2, unique_by=str))
    keys = draw(st.lists(names, min_size=5, max_size=5, unique=True))
    sizes = draw(st.lists(st.integers(1, 10**6), min_size=1, max_size=3, unique=True))
    metrics = draw(st.lists(st.sampled_from(("ir_b", "accuracy", "log_loss")), min_size=1, unique=True))
    content = {
        "name": keys[0],
        "seed": draw(st.integers(0, 2**63)),
        "keep_predictions": draw(st.booleans()),
        "sources": [{"key": key, **own} for key, own in zip(keys[1:], sources, strict=False)],
        "learners": [{"key": key, **own} for key, own in zip(keys[2:], learners, strict=False)],
        "design": {"replicates": draw(st.integers(1, 99)), "sizes": sizes},
        "scores": {"metrics": [*metrics, {"key": "e", "metric": "expected_calibration_error", "n_bins": 7}]},
    }
    return tomlkit.dumps(content)


TRUTH = random_tan(n_attributes=2, arity=2, n_classes=2, random_state=1).to_json()
LEARNERS: tuple[dict[str, Any], ...] = (
    {"learner": "nb"},
    {"learner": "nb", "alpha": 0.25},
    {"learner": "tan_superparent"},
    {"learner": "cart", "max_depth": 3, "class_weight": {"0": 2.0}},
    {"learner": "recalibrated", "of": {"learner": "nb", "alpha": 2.0}, "folds": 3},
    {"learner": "sklearn.tree:ExtraTreeClassifier", "max_depth": 2},
)
SOURCES: tuple[dict[str, Any], ...] = (
    {"generator": "tan"},
    {"generator": "tan", "n_attributes": 2, "arity": [2, 3]},
    {"generator": "naive_bayes", "n_attributes": [1, 4], "concentration": 0.5},
    {"generator": "generators:random_aode"},
    {"json": [json.dumps(json.loads(TRUTH))]},
)


@st.composite
def _cpts(draw: Any, arities: list[int], parents: Any) -> list[np.ndarray]:
    seed = draw(st.integers(0, 2**32))
    shapes = [(*(arities[p] for p in above), own) for own, above in zip(arities, parents, strict=True)]
    cpts = []
    for i, shape in enumerate(shapes):
        n_rows = int(np.prod(shape[:-1]))
        cpts.append(np.array([_row(seed + 7919 * i + j, shape[-1]) for j in range(n_rows)]).reshape(shape))
    return cpts


def _row(seed: int, n: int) -> np.ndarray:
    """Draw a distribution: even, with zeros, or with entries next to zero."""
    rng = np.random.default_rng(seed)
    weights = rng.random(n) ** rng.choice([1, 40])
    if rng.random() < 0.3:
        weights[rng.random(n) < 0.5] = 0.0
    if not weights.sum() > 0:
        weights[rng.integers(n)] = 1.0
    return weights / weights.sum()


@st.composite
def _column(draw: Any, n_rows: int) -> Any:
    kind = draw(st.sampled_from(("category", "text", "float", "int", "bool")))
    values: dict[str, Any] = {
        "text": words.filter(bool) | st.none(),
        "float": st.floats(-1e100, 1e100) | st.just(float("nan")),
        "int": st.integers(-5, 40),
        "bool": st.booleans(),
    }
    if kind == "category":
        labels = draw(st.lists(words, min_size=1, max_size=3, unique=True))
        own = draw(st.lists(st.sampled_from([*labels, None]), min_size=n_rows, max_size=n_rows))
        return pd.Categorical(own, categories=labels)
    own = draw(st.lists(values[kind], min_size=n_rows, max_size=n_rows))
    return pd.Series(own, dtype={"text": object, "float": float, "int": "int64", "bool": bool}[kind])
