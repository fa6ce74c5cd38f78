"""A law under which the optimal forecasts cannot be computed."""

from __future__ import annotations

from dataclasses import dataclass

from generators.base.validation import shown
from generators.laws._shared.law import Law, escaped

__all__ = ["IntractableLaw", "law_of_rows"]


@dataclass(frozen=True)
class IntractableLaw(Law):
    """A law under which the optimal forecasts cannot be computed, with the reason.

    Parameters
    ----------
    reason : str
        A clause, such as "labels are noisy, so the class of every training row is hidden".

    Raises
    ------
    ValueError
        If the reason is not text.

    Examples
    --------
    >>> IntractableLaw("labels are noisy").obstacle
    'labels are noisy'
    """

    kind = "intractable"
    template = "no law with a computable optimum: {reason}"
    reason: str

    def __post_init__(self) -> None:
        if not isinstance(self.reason, str) or not self.reason.strip():
            raise ValueError(
                f"reason is {shown(self.reason)}: expected a clause that explains why there is no optimum"
            )

    @property
    def obstacle(self) -> str:
        """Reason why the optimal forecasts cannot be computed."""
        return escaped(self.reason)


def law_of_rows(law: Law, rows: str) -> Law:
    """Return the given law if rows are drawn from a Dirichlet, otherwise an intractable one."""
    if rows == "dirichlet":
        return law
    return IntractableLaw(f"rows are drawn as {rows!r}, for which no posterior has a closed form")
