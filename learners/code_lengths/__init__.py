"""Lengths of messages that state a model and then the data under it; pure functions, in nats."""

from learners.code_lengths.multinomial import (
    PARAMETER_CONSTANTS,
    adaptive_code_length,
    ln_factorials,
    mml_estimate,
    negative_log_likelihood,
)
from learners.code_lengths.network import (
    arc_cost,
    estimated_arc_probability,
    family_length,
    n_pairs,
    structure_length,
)

__all__ = [
    "PARAMETER_CONSTANTS",
    "adaptive_code_length",
    "ln_factorials",
    "mml_estimate",
    "negative_log_likelihood",
    "arc_cost",
    "estimated_arc_probability",
    "family_length",
    "n_pairs",
    "structure_length",
]
