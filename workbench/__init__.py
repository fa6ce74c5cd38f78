"""Run learners on problems whose truth is known, score their forecasts and compare the learners.

The main names are `compare`, `read_study`, `run`, `load`, `rescore`, `Study` and `Results`. Slow modules are
imported on first use. `fit_parquet`, `fit_batches`, `parquet_batches` and `sample_parquet` handle data that
do not fit into memory. `generate` makes a benchmark with known truth, which `workbench.benchmark` loads and
checks.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from workbench.api import compare, read_study, rescore, run, write_study

if TYPE_CHECKING:
    from workbench.benchmark.making import generate
    from workbench.estimators.pooled.pooled_classifier import PooledClassifier
    from workbench.estimators.pooled.pooling import MembersLeftOutWarning
    from workbench.estimators.program import ProgramClassifier
    from workbench.estimators.streams import fit_batches, fit_parquet, parquet_batches, sample_parquet
    from workbench.invariances.checking import check_invariances
    from workbench.invariances.result import Invariances
    from workbench.profiles.profile import Profile, profile
    from workbench.results import Results, load
    from workbench.study.dataset_source import DatasetSource
    from workbench.study.rows_source import RowsSource
    from workbench.study.source import Source
    from workbench.study.study import Study

__all__ = [
    "compare",
    "Study",
    "Source",
    "DatasetSource",
    "RowsSource",
    "read_study",
    "write_study",
    "run",
    "load",
    "rescore",
    "Results",
    "fit_parquet",
    "fit_batches",
    "parquet_batches",
    "sample_parquet",
    "generate",
    "check_invariances",
    "profile",
    "Profile",
    "Invariances",
    "PooledClassifier",
    "MembersLeftOutWarning",
    "ProgramClassifier",
]

_HOMES = {
    "Study": "workbench.study.study",
    "Source": "workbench.study.source",
    "DatasetSource": "workbench.study.dataset_source",
    "RowsSource": "workbench.study.rows_source",
    "load": "workbench.results",
    "Results": "workbench.results",
    "fit_parquet": "workbench.estimators.streams",
    "fit_batches": "workbench.estimators.streams",
    "parquet_batches": "workbench.estimators.streams",
    "sample_parquet": "workbench.estimators.streams",
    "generate": "workbench.benchmark.making",
    "check_invariances": "workbench.invariances.checking",
    "profile": "workbench.profiles.profile",
    "Profile": "workbench.profiles.profile",
    "Invariances": "workbench.invariances.result",
    "PooledClassifier": "workbench.estimators.pooled.pooled_classifier",
    "MembersLeftOutWarning": "workbench.estimators.pooled.pooling",
    "ProgramClassifier": "workbench.estimators.program",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'workbench' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
