"""The scores for which the optimum is the best forecast, so that the distance to it is meaningful."""

from workbench.base.errors import WorkbenchError
from workbench.metrics import Metric

__all__ = ["check_has_optimum"]


def check_has_optimum(metric: str, declared: Metric) -> None:
    """Raise WorkbenchError if the best possible forecasts need not have the best expected score."""
    if declared.has_optimum is False:
        raise WorkbenchError(
            f"by {metric} the optimum is not guaranteed to have the best score: choose a score by which it "
            "is, such as log_loss, ir_b, quadratic_loss or accuracy"
        )
