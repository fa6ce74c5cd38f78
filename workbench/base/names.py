"""How learners, scores and generators are named to people; keys are for typing."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

__all__ = [
    "GENERATORS",
    "LEARNERS",
    "METRICS",
    "capital",
    "learner_list",
    "learner_name",
    "metric_name",
    "source_name",
    "spoken_name",
]

#: By key of the catalogue; keys of other packages and of users are names themselves.
LEARNERS: Mapping[str, str] = MappingProxyType(
    {
        "ande": "AnDE",
        "aode": "AODE",
        "averaged_assumptions": "averaged assumptions",
        "averaged_discretizations": "averaged discretizations",
        "averaged_tan": "averaged TAN",
        "bn_ensemble": "Bayesian network ensemble",
        "boosting": "histogram boosting",
        "c45": "C4.5",
        "c45_unpruned": "C4.5 (unpruned)",
        "c45rules": "C4.5rules",
        "c50": "C5.0",
        "c50_boosted": "C5.0 (boosted)",
        "camml": "CaMML",
        "cart": "CART",
        "catboost": "CatBoost",
        "early_stopped": "early stopping",
        "ebm": "EBM",
        "extra_trees": "extra trees",
        "foil": "FOIL",
        "gaussian_aode": "Gaussian AODE",
        "gaussian_camml": "Gaussian CaMML",
        "gaussian_tan": "Gaussian TAN",
        "induct_dnf": "Induct (DNF)",
        "induct_rdr": "Induct (ripple-down rules)",
        "j48": "J48",
        "j48_unpruned": "J48 (unpruned)",
        "kdb": "KDB",
        "lightgbm": "LightGBM",
        "logistic": "logistic regression",
        "mml_graph": "MML graph",
        "mml_tree": "MML tree",
        "nb": "naive Bayes",
        "nb_m_estimate": "naive Bayes (m-estimate)",
        "one_r": "1R",
        "optimal": "optimum",
        "optimal_mixture": "optimum (mixture)",
        "pooled": "pooled classifier",
        "pretrained": "pretrained",
        "prior": "class prior",
        "program": "program",
        "random_forest": "random forest",
        "recalibrated": "recalibrated",
        "selective_kdb": "selective KDB",
        "stump": "decision stump",
        "stump_binary": "decision stump (binary)",
        "tan": "TAN",
        "tan_superparent": "TAN (SuperParent)",
        "truth": "truth",
        "xgboost": "XGBoost",
    }
)

#: Keys that the studies of this project give to learners with options.
VARIANTS: Mapping[str, str] = MappingProxyType(
    {
        "a2de": "A2DE",
        "averaged_dag": "averaged DAGs",
        "camml_average": "CaMML (average)",
        "camml_representative": "CaMML (representative)",
    }
)

METRICS: Mapping[str, str] = MappingProxyType(
    {
        "accuracy": "accuracy",
        "auc": "AUC",
        "bayesian_reward": "Bayesian reward",
        "confidence_calibration_error": "confidence calibration error",
        "confidence_gap": "confidence gap",
        "constant_complexity": "complexity (constant)",
        "cost": "cost",
        "d2_brier": "D² (Brier score)",
        "d2_log_loss": "D² (log loss)",
        "exact_match": "exact match",
        "expected_calibration_error": "expected calibration error",
        "expected_value": "expected value",
        "forecast_entropy": "forecast entropy",
        "frequency_complexity": "complexity (frequencies)",
        "frequency_complexity_by_count": "complexity (frequencies, by count)",
        "good_reward": "Good's reward",
        "ir_b": "IR_B",
        "ir_b_sum": "IR_B (sum over classes)",
        "kl_divergence": "KL divergence",
        "kononenko_bratko": "Kononenko-Bratko information",
        "kononenko_bratko_2002": "Kononenko-Bratko information (2002)",
        "laplace_complexity": "complexity (Laplace)",
        "lift": "lift",
        "log_loss": "log loss",
        "log_loss_nats": "log loss (nats)",
        "miscalibration": "miscalibration",
        "modal_bayesian_reward": "modal Bayesian reward",
        "overconfidence": "overconfidence",
        "quadratic_loss": "Brier score",
        "set_coverage": "set coverage",
        "significance": "significance",
        "significance_by_count": "significance (by count)",
        "theory_complexity": "theory complexity",
        "underconfidence": "underconfidence",
        "whole_message": "message length",
    }
)

GENERATORS: Mapping[str, str] = MappingProxyType(
    {
        "aode": "AODE",
        "dag": "random DAG",
        "decision_graph": "decision graph",
        "decision_tree": "decision tree",
        "gaussian_aode": "Gaussian AODE",
        "gaussian_naive_bayes": "Gaussian naive Bayes",
        "gaussian_tan": "Gaussian TAN",
        "kdb": "KDB",
        "naive_bayes": "naive Bayes",
        "parity": "parity",
        "rules": "rule",
        "tan": "TAN",
    }
)


def learner_name(key: str) -> str:
    """Return the name of a learner for people."""
    return LEARNERS.get(key) or VARIANTS.get(key, key)


def learner_list(keys: Iterable[str], between: str = ", ") -> str:
    """Return the names of learners in a row."""
    return between.join(map(learner_name, keys))


def spoken_name(key: str) -> str:
    """Return the name of a learner inside a sentence: there is one truth, one optimum, one class prior."""
    return f"the {learner_name(key)}" if key in _ONLY_ONES else learner_name(key)


def capital(words: str) -> str:
    """Begin a sentence with the name of a learner; a key of a user stays as it is."""
    starts = any(words == name or words.startswith(f"{name} ") for name in _SPOKEN)
    return f"{words[:1].upper()}{words[1:]}" if starts else words


def metric_name(key: str) -> str:
    """Return the name of a metric for people."""
    return METRICS.get(key, key)


def source_name(key: str) -> str:
    """Return the name of a source for people: a generator's, or its own."""
    return GENERATORS.get(key, key)


_ONLY_ONES = ("optimal", "optimal_mixture", "prior", "truth")
_SPOKEN = frozenset(map(spoken_name, LEARNERS))
