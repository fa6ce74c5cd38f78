"""Lengths of messages that state a model and then the data under it; pure functions.

In nats; those of trees, graphs and theories, whose codes are counted in yes and no, in bits.
"""

from learners.code_lengths.graph import (
    JoinRound,
    bits_of_rounds,
    ends_bits,
    groups_bits,
    joining_pattern_bits,
)
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
from learners.code_lengths.theory import (
    TheoryComplexity,
    choice_bits,
    decision_bits,
    order_bits,
    subset_bits,
)
from learners.code_lengths.tree import (
    MessageParts,
    attribute_bits,
    category_bits,
    quantile_cut_bits,
    root_bits,
    structure_bits,
    uniform_cut_bits,
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
    "MessageParts",
    "attribute_bits",
    "category_bits",
    "quantile_cut_bits",
    "root_bits",
    "structure_bits",
    "uniform_cut_bits",
    "TheoryComplexity",
    "choice_bits",
    "decision_bits",
    "order_bits",
    "subset_bits",
    "JoinRound",
    "bits_of_rounds",
    "ends_bits",
    "groups_bits",
    "joining_pattern_bits",
]
