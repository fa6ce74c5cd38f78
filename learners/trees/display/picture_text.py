"""Texts in the figures of trees and graphs: branches, leaves, and parts not drawn."""

import numpy as np

from learners.trees.display.text import TreeNames

__all__ = ["branch_label", "end_label", "hidden_label", "short_number"]

LARGEST = 1e10  # larger numbers are written with a power of ten


def branch_label(
    names: TreeNames, attribute: int, branch: int, threshold: float | None, *, has_missing: bool
) -> str:
    """Write what a branch takes, such as ``sunny`` or ``≤ 75``."""
    if threshold is None:
        return str(names.values[attribute][branch])
    if threshold == -np.inf:  # a test of whether the value is known
        return "known" if branch else "missing"
    also = " or missing" if has_missing and not branch else ""
    return f"{'>' if branch else '≤'} {short_number(threshold)}{also}"


def end_label(name: str, weight: float, wrong: float) -> str:
    """Write the text of a leaf: its class, the weight of its rows, and of the misclassified ones."""
    text = f"{name}  {_short_weight(weight)}"
    return f"{text}, {_short_weight(wrong)} wrong" if wrong >= 0.005 else text


def hidden_label(text: str, n_branches: int) -> str:
    """Write the text of a test whose subtree is not drawn."""
    return f"{text} … {n_branches} branches not drawn"


def short_number(x: float) -> str:
    """Write a number with five digits at most, but whole numbers below ten thousand millions in full."""
    return f"{x:.0f}" if 1e5 <= abs(x) < LARGEST else f"{x:.5g}"


def _short_weight(weight: float) -> str:
    """Write a weight: one decimal if it has any, two digits if it is small."""
    if abs(weight - round(weight)) < 0.005:
        return f"{weight:.0f}"
    return f"{weight:.1f}" if weight >= 0.1 else f"{weight:.2g}"
