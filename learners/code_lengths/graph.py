"""The cost of coding which branches of a classification graph join, in bits."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, lgamma, log, log2

__all__ = ["JoinRound", "bits_of_rounds", "ends_bits", "groups_bits", "joining_pattern_bits"]


@dataclass(frozen=True)
class JoinRound:
    """The joins encoded after a round of trees: the first tree, or those that follow the previous joins."""

    n_ends: int  # leaves of the trees of this round, those that join included
    n_new: int  # leaves of this round that join, now or later
    n_waiting: int  # leaves of earlier rounds that have not joined yet
    sizes: tuple[int, ...]  # number of leaves in each group that joins now, at least 2
    new_sizes: tuple[int, ...]  # how many of them are of this round


def joining_pattern_bits(step: JoinRound) -> float:
    """Return the bits of the groups that join after a round, as Tan and Dowe's programs count it."""
    # With N new and Q waiting leaves, M groups of sizes J_i and P leaves left waiting: log2 min(N, (N + Q)/2)
    # for M; log2 C(N + Q - M, M) for the sizes; and the log2 of N! Q! / (Y! (P - Y)! prod X_i! (J_i - X_i)!)
    # for the members, X_i and Y being the new ones in group i and among those left (Tan & Dowe, "MML
    # inference of decision graphs with multi-way joins", AI 2002). This encodes neither which leaves join at
    # all nor the X_i, so a receiver could not decode it.
    n, q, m = step.n_new, step.n_waiting, len(step.sizes)
    if not n:
        return 0.0
    left = n + q - sum(step.sizes)
    new_left = n - sum(step.new_sizes)
    ways = _ln_factorial(n) + _ln_factorial(q) - _ln_factorial(new_left) - _ln_factorial(left - new_left)
    for size, new in zip(step.sizes, step.new_sizes, strict=True):
        ways -= _ln_factorial(new) + _ln_factorial(size - new)
    return log2(min(n, (n + q) / 2)) + _log2_choose(n + q - m, m) + ways / log(2.0)


def ends_bits(step: JoinRound, *, is_first: bool) -> float:
    """Return the bits that state which leaves of a round join, now or later."""
    n_numbers = step.n_ends - 1 if is_first else step.n_ends + 1
    return log2(n_numbers) + _log2_choose(step.n_ends, step.n_new)


def groups_bits(step: JoinRound, *, pairs_only: bool) -> float:
    """Return the bits that state which of the joining leaves join now, and with which others."""
    # As `joining_pattern_bits`, but the members are encoded as one of (N + Q)! / (P! prod J_i!) ways, which
    # can be decoded; the groups have no order, which saves log2 M!. There are at most min(N, (N + Q)/2)
    # groups, rounded down: each has a new leaf.
    n, q, m = step.n_new, step.n_waiting, len(step.sizes)
    if not n:
        return 0.0
    left = n + q - sum(step.sizes)
    ways = _ln_factorial(n + q) - _ln_factorial(left) - _ln_factorial(m)
    ways -= sum(_ln_factorial(size) for size in step.sizes)
    of_sizes = 0.0 if pairs_only else _log2_choose(n + q - m, m)
    return log2(min(n, (n + q) // 2)) + of_sizes + ways / log(2.0)


def bits_of_rounds(rounds: Sequence[JoinRound], *, complete: bool, pairs_only: bool) -> float:
    """Return the bits of all joins of a graph."""
    if not any(step.sizes for step in rounds):
        return 0.0
    if not complete:
        return sum(joining_pattern_bits(step) for step in rounds)
    return 1.0 + sum(
        ends_bits(step, is_first=first == 0) + groups_bits(step, pairs_only=pairs_only)
        for first, step in enumerate(rounds)
    )


def _ln_factorial(n: int) -> float:
    return lgamma(n + 1.0)


def _log2_choose(n: int, k: int) -> float:
    if k > n:
        return inf
    return (_ln_factorial(n) - _ln_factorial(k) - _ln_factorial(n - k)) / log(2.0)
