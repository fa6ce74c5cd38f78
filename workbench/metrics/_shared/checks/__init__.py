"""Input checks that all metrics share: forecasts, sets, outcomes, priors, weights of cells, options."""

from workbench.metrics._shared.checks.columns import align, align_sets, in_class_order
from workbench.metrics._shared.checks.forecasts import (
    ROW_SUM_TOLERANCE,
    check_cells,
    check_forecast,
    check_prior,
    check_weights,
    in_double,
)
from workbench.metrics._shared.checks.outcomes import check_outcomes, check_sets, label_codes
from workbench.metrics._shared.checks.values import check_choice, check_integer, check_number, numbers

__all__ = [
    "align",
    "align_sets",
    "ROW_SUM_TOLERANCE",
    "check_cells",
    "check_choice",
    "check_forecast",
    "check_integer",
    "check_number",
    "check_outcomes",
    "check_prior",
    "check_sets",
    "check_weights",
    "in_class_order",
    "in_double",
    "label_codes",
    "numbers",
]
