"""Input checks that all metrics share: forecasts, sets, outcomes, priors, weights of cells, options."""

from workbench.metrics._shared.checks.class_order import in_class_order
from workbench.metrics._shared.checks.forecast import (
    ROW_SUM_TOLERANCE,
    check_cells,
    check_forecast,
    check_weights,
    in_double,
)
from workbench.metrics._shared.checks.options import check_choice, check_integer, check_number
from workbench.metrics._shared.checks.outcomes import check_outcomes, label_codes
from workbench.metrics._shared.checks.prior import check_prior
from workbench.metrics._shared.checks.sets import check_sets

__all__ = [
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
]
