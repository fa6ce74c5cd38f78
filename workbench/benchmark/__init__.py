"""Benchmarks: folders of models with known truth, rows drawn from it, and exact posteriors.

Slow modules are imported on first use, since the command line imports this package.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workbench.benchmark.handing_out import hand_out
    from workbench.benchmark.loading import Benchmark, Model, load
    from workbench.benchmark.making import generate
    from workbench.benchmark.scoring import rank_predictions, score_predictions
    from workbench.benchmark.verifying import verify

__all__ = [
    "Benchmark",
    "Model",
    "generate",
    "hand_out",
    "load",
    "rank_predictions",
    "score_predictions",
    "verify",
]

_HOMES = {
    "Benchmark": "workbench.benchmark.loading",
    "Model": "workbench.benchmark.loading",
    "load": "workbench.benchmark.loading",
    "generate": "workbench.benchmark.making",
    "hand_out": "workbench.benchmark.handing_out",
    "rank_predictions": "workbench.benchmark.scoring",
    "score_predictions": "workbench.benchmark.scoring",
    "verify": "workbench.benchmark.verifying",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'workbench.benchmark' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
