"""Lengths of messages that state a model and then the data under it; pure functions, in nats."""

from learners.code_lengths.multinomial import (
    adaptive_code_length,
    ln_factorials,
    mml_estimate,
    negative_log_likelihood,
    parameter_constant,
)
from learners.code_lengths.network import (
    arc_cost,
    check_arc_probability,
    estimated_arc_probability,
    family_length,
    n_pairs,
    structure_length,
)

__all__ = [
    "adaptive_code_length",
    "ln_factorials",
    "mml_estimate",
    "negative_log_likelihood",
    "parameter_constant",
    "arc_cost",
    "check_arc_probability",
    "estimated_arc_probability",
    "family_length",
    "n_pairs",
    "structure_length",
]
