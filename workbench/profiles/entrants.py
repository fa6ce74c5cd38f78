"""The learners of the reference results, and others that enter the arena."""

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from workbench.base import catalogue
from workbench.base.errors import WorkbenchError, nearest
from workbench.base.names import learner_name
from workbench.estimators.rivals import logistic
from workbench.study.learner_spec import LearnerSpec

__all__ = [
    "ENTRANTS",
    "Entrant",
    "check_key",
    "entrants_of_file",
    "entrants_of_packages",
    "name_of",
    "on_tables",
    "profiled_name",
]

BAYES, NETWORKS, TREES, RULES = "Bayesian classifiers", "learned networks", "trees", "rules"
ENSEMBLES, OTHERS, YARDSTICKS = "ensembles", "others", "yardsticks"


@dataclass(frozen=True)
class Entrant:
    """A learner of the arena."""

    key: str  # the name in tables and files
    title: str  # what people call it
    family: str  # what it is listed under
    learner: str | Callable[[], Any]  # a key, "module:Class", or a function that makes an unfitted estimator
    parameters: Mapping[str, Any] | None = None  # of a learner named by text
    tuned: bool = False  # whether it chooses its settings by cross-validation inside the training rows
    note: str = ""  # on its settings; empty for defaults
    is_slow: bool = False  # whether reference results of it are on a smaller part of the suite
    input: str | None = None  # what it is given, as in `workbench.estimators.inputs`

    @property
    def spec(self) -> LearnerSpec:
        """The learner as a study names it."""
        return self.with_options()

    def with_options(
        self, parameters: Mapping[str, Any] | None = None, input: str | None = None
    ) -> LearnerSpec:
        """Return the learner as a study names it, with other parameters (also "estimator__C") or input."""
        given, form = dict(parameters or {}), input if input is not None else self.input
        if not callable(self.learner):
            own = {**(self.parameters or {}), **given}
            return LearnerSpec(self.key, learner=self.learner, parameters=own, input=form)
        estimator = self.learner()
        known = estimator.get_params()
        for name in given:
            if name not in known:
                raise WorkbenchError(
                    f"unknown parameter {name!r} of learner {self.key!r}; {nearest(name, known)}"
                )
        return LearnerSpec(self.key, estimator=estimator.set_params(**given), input=form)


def name_of(learner: str) -> str:
    """Return the name of a learner for tables and files: "mypackage:MyLearner" is my_learner."""
    word = learner.rpartition(":")[2].rpartition(".")[2]
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", word).lower()
    return re.sub(r"[^a-z0-9_]+", "_", words) or "learner"


def check_key(key: str) -> None:
    """Raise WorkbenchError unless a key can name a store and a page."""
    if not re.fullmatch(r"[\w-][\w.-]*", key):
        raise WorkbenchError(
            f"entrant {key!r} cannot name a file: expected letters, digits, underscores, hyphens and dots, "
            "but no dot first. Other words belong into its title"
        )


def entrants_of_file(path: str | Path) -> dict[str, Entrant]:
    """Read further entrants from a TOML file: a table ``[entrants.KEY]`` for each; learner is required."""
    # it may have title, family, note, tuned, input, parameters; keys become names of files
    try:
        content = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise WorkbenchError(f"the entrants {path} cannot be read: {error}") from error
    tables = content.get("entrants")
    if not isinstance(tables, dict) or not tables:
        raise WorkbenchError(
            f'{path} has no entrants: give each a table, such as [entrants.mine] learner = "p:Mine"'
        )
    return {key: _of_table(key, table) for key, table in tables.items()}


def entrants_of_packages() -> dict[str, Entrant]:
    """Return the learners that installed packages add to the catalogue by entry points."""
    keys = [key for key in catalogue.keys("learners") if catalogue.package_of("learners", key)]
    return {
        key: Entrant(key, key, OTHERS, key, note=f"of {catalogue.package_of('learners', key)}")
        for key in keys
    }


#: Entrants that refuse missing numbers, and to most of which the scales of numbers matter.
PREPARED = ("logistic", "logistic_tuned", "knn", "knn_tuned", "mlp", "svc", "gaussian_nb")
#: Entrants that need a truth.
OF_TRUTHS = {"truth", "optimal"}


def on_tables(words: Iterable[str], added: Mapping[str, Entrant] = MappingProxyType({})) -> dict[str, Any]:
    """Return what `compare` takes for learners named by keys of entrants or the catalogue, or by classes."""
    known = {**ENTRANTS, **added}
    keys = {*known, *catalogue.keys("learners")} - OF_TRUTHS
    found: dict[str, Any] = {}
    for word in words:
        if ":" not in word and word not in keys:
            raise WorkbenchError(f"unknown learner {word!r}; {nearest(word, keys)}")
        key = name_of(word) if ":" in word else word
        if key in found:
            raise WorkbenchError(f"the learner {key!r} is there twice: name it once")
        entrant = known.get(word, Entrant(key, key, OTHERS, word))
        found[key] = _prepared(entrant) if word in PREPARED else entrant.spec.build()
    return found


def _prepared(entrant: Entrant) -> Any:
    from sklearn.pipeline import make_pipeline

    steps = logistic().steps[:-1]  # medians for missing numbers, and scales
    return make_pipeline(*(step for _, step in steps), entrant.spec.build())


WORDS = ("learner", "title", "family", "note", "tuned", "parameters", "input")


def _of_table(key: str, table: Any) -> Entrant:
    check_key(key)
    if not isinstance(table, dict) or not isinstance(table.get("learner"), str):
        raise WorkbenchError(f'entrant {key!r} has no learner: give a key or "module:Class"')
    for word in table:
        if word not in WORDS:
            raise WorkbenchError(f"unknown word {word!r} of entrant {key!r}; {nearest(word, WORDS)}")
    parameters = table.get("parameters", {})
    if not isinstance(parameters, dict):
        raise WorkbenchError(
            f"entrant {key!r} has parameters = {parameters!r}: give a table, such as {{ alpha = 0.5 }}"
        )
    return Entrant(
        key,
        str(table.get("title", key)),
        str(table.get("family", OTHERS)),
        table["learner"],
        parameters,
        bool(table.get("tuned", False)),
        str(table.get("note", "")),
        input=table.get("input"),
    )


def _by_key(entrants: Iterable[Entrant]) -> dict[str, Entrant]:
    return {entrant.key: entrant for entrant in entrants}


def _tuned(estimator: Any, grid: Mapping[str, list[Any]]) -> Any:
    from sklearn.model_selection import GridSearchCV

    return GridSearchCV(estimator, dict(grid), scoring="neg_log_loss", cv=3, error_score=float("nan"))


def _logistic() -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(max_iter=1000)


def _logistic_tuned() -> Any:
    return _tuned(_logistic(), {"C": [1.0, 0.01, 0.1, 10.0]})


def _mlp() -> Any:
    from sklearn.neural_network import MLPClassifier

    return MLPClassifier()


def _knn() -> Any:
    from sklearn.neighbors import KNeighborsClassifier

    return KNeighborsClassifier()


def _knn_tuned() -> Any:
    return _tuned(_knn(), {"n_neighbors": [5, 10, 20, 40, 80]})


def _cart_tuned() -> Any:
    from sklearn.tree import DecisionTreeClassifier

    return _tuned(DecisionTreeClassifier(), {"min_samples_leaf": [1, 5, 10, 20, 50]})


def _svc() -> Any:
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.svm import SVC

    return CalibratedClassifierCV(SVC(), ensemble=False)


SEARCH = "chosen by log loss in three folds of the training rows"
#: Everything that the reference results hold, by key.
ENTRANTS: Mapping[str, Entrant] = _by_key(
    (
        Entrant("truth", "truth", YARDSTICKS, "truth"),
        Entrant("optimal", "optimum", YARDSTICKS, "optimal"),
        Entrant("prior", "class prior", YARDSTICKS, "prior"),
        Entrant("nb", "naive Bayes", BAYES, "nb"),
        Entrant("tan", "TAN", BAYES, "tan"),
        Entrant("tan_superparent", "TAN (SuperParent)", BAYES, "tan_superparent", is_slow=True),
        Entrant("averaged_tan", "averaged TAN", BAYES, "averaged_tan"),
        Entrant("aode", "AODE", BAYES, "aode"),
        Entrant("a2de", "A2DE", BAYES, "ande"),
        Entrant("kdb", "KDB", BAYES, "kdb"),
        Entrant("selective_kdb", "selective KDB", BAYES, "selective_kdb"),
        Entrant("averaged_assumptions", "averaged assumptions", BAYES, "averaged_assumptions", is_slow=True),
        Entrant("camml", "CaMML", NETWORKS, "camml", is_slow=True),
        Entrant("c45", "C4.5", TREES, "c45"),
        Entrant("j48", "J48", TREES, "j48"),
        Entrant("c50", "C5.0", TREES, "c50"),
        Entrant("cart", "CART", TREES, "cart", note="grown until leaves are pure, as scikit-learn does"),
        Entrant(
            "cart_tuned",
            "CART (tuned)",
            TREES,
            _cart_tuned,
            tuned=True,
            note=f"rows of a leaf {SEARCH}",
            is_slow=True,
        ),
        Entrant("mml_tree", "MML tree", TREES, "mml_tree"),
        Entrant("mml_graph", "MML graph", TREES, "mml_graph", is_slow=True),
        Entrant("c45rules", "C4.5rules", RULES, "c45rules", is_slow=True),
        Entrant("one_r", "1R", RULES, "one_r"),
        Entrant("stump_binary", "decision stump (binary)", RULES, "stump_binary"),
        Entrant("foil", "FOIL", RULES, "foil", is_slow=True),
        Entrant("induct_rdr", "Induct (ripple-down rules)", RULES, "induct_rdr", is_slow=True),
        Entrant("induct_dnf", "Induct (DNF)", RULES, "induct_dnf"),
        Entrant("bn_ensemble", "Bayesian network ensemble", ENSEMBLES, "bn_ensemble", is_slow=True),
        Entrant("pooled", "pooled classifier", ENSEMBLES, "pooled", is_slow=True),
        Entrant("c50_boosted", "C5.0 (boosted)", ENSEMBLES, "c50_boosted", is_slow=True),
        Entrant("random_forest", "random forest", ENSEMBLES, "random_forest", is_slow=True),
        Entrant("extra_trees", "extra trees", ENSEMBLES, "extra_trees", is_slow=True),
        Entrant(
            "boosting",
            "histogram boosting",
            ENSEMBLES,
            "boosting",
            note="histograms, categories as such",
            is_slow=True,
        ),
        Entrant("logistic", "logistic regression", OTHERS, _logistic, note="at most 1000 iterations"),
        Entrant(
            "logistic_tuned",
            "logistic regression (tuned)",
            OTHERS,
            _logistic_tuned,
            tuned=True,
            note=f"C {SEARCH}",
            is_slow=True,
        ),
        Entrant("mlp", "neural network", OTHERS, _mlp, is_slow=True),
        Entrant("knn", "k nearest neighbors", OTHERS, _knn),
        Entrant(
            "knn_tuned",
            "k nearest neighbors (tuned)",
            OTHERS,
            _knn_tuned,
            tuned=True,
            note=f"k {SEARCH}",
            is_slow=True,
        ),
        Entrant("svc", "support vector machine (calibrated)", OTHERS, _svc, is_slow=True),
        Entrant("gaussian_nb", "Gaussian naive Bayes", BAYES, "sklearn.naive_bayes:GaussianNB"),
        Entrant("categorical_nb", "categorical naive Bayes", BAYES, "sklearn.naive_bayes:CategoricalNB"),
    )
)


def profiled_name(key: str) -> str:
    """Return the name of a learner for people: of a reference learner its title."""
    return ENTRANTS[key].title if key in ENTRANTS else learner_name(key)
