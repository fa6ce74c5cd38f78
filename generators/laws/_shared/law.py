"""The base of laws: frozen data that JSON and TOML can hold, and checks of truths against them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from difflib import get_close_matches
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from generators.base.validation import shown

__all__ = [
    "LAWS",
    "Law",
    "check_count",
    "check_finite",
    "check_law",
    "check_marginal",
    "check_positive",
    "law_of",
]

#: Laws by the kind that their documents name.
LAWS: dict[str, type[Law]] = {}


@dataclass(frozen=True)
class Law(ABC):
    """The distribution from which a truth is drawn, given the names and states of its variables.

    A subclass is a frozen dataclass of plain values that declares its `kind`.

    Attributes
    ----------
    kind : str
        The word for it in JSON and TOML.
    """

    kind: ClassVar[str]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "kind" in cls.__dict__:
            other = LAWS.setdefault(cls.kind, cls)
            if (other.__module__, other.__qualname__) != (cls.__module__, cls.__qualname__):
                raise TypeError(
                    f"the kind {cls.kind!r} of {cls.__name__} is already that of {other.__name__}; give each "
                    "its own kind"
                )
            LAWS[cls.kind] = cls

    @property
    @abstractmethod
    def words(self) -> str:
        """The law in words."""

    @property
    def obstacle(self) -> str | None:
        """Why the best forecasts under this law cannot be computed; None if they can."""
        return None

    def misfit(self, truth: Any) -> str | None:
        """Return what about a truth cannot come from this law; None if nothing is found.

        Truths of other packages that do not show their structure pass.
        """
        return None

    def check(self, truth: Any) -> None:
        """Raise ValueError if a truth cannot come from this law."""
        trouble = self.misfit(truth)
        if trouble is not None:
            raise ValueError(
                f"the law {self!r} does not fit its truth: {trouble}; state the law that draws it, or None"
            )

    def with_holes(self) -> Law | None:
        """Return the law where values are missing independently of the class, given what is observed.

        None if the best forecasts then have no closed form.
        """
        return None

    def to_document(self) -> dict[str, Any]:
        """Return the law as plain data: its kind, and the values that are not the default.

        Examples
        --------
        >>> from generators import TANLaw
        >>> TANLaw(concentration=0.5).to_document()
        {'kind': 'tan', 'concentration': 0.5}
        """
        own = {part.name: getattr(self, part.name) for part in fields(self)}
        changed = {part.name: own[part.name] for part in fields(self) if own[part.name] != part.default}
        return {"kind": self.kind, **{name: _plain(value) for name, value in changed.items()}}


def law_of(document: Any) -> Law:
    """Return the law that plain data describe.

    Parameters
    ----------
    document : Law or mapping
        A law is returned as it is. Otherwise what `Law.to_document` wrote: the kind, and values by name.

    Raises
    ------
    ValueError
        If the kind or a name is unknown, or a value is out of range.

    Examples
    --------
    >>> law_of({"kind": "kdb", "k": 1})
    KDBLaw(concentration=1.0, class_marginal=None, class_skew=None, k=1)
    """
    if isinstance(document, Law):
        return document
    kind = document.get("kind") if isinstance(document, Mapping) else None
    if not isinstance(kind, str) or kind not in LAWS:
        what = f"the kind {shown(kind)}" if isinstance(document, Mapping) else shown(document)
        raise ValueError(f"{what} is not a law; {_near(kind, LAWS)}")
    known = [part.name for part in fields(LAWS[kind])]
    values = {str(name): value for name, value in document.items() if name != "kind"}
    for name in values:
        if name not in known:
            raise ValueError(f"the law {kind!r} has no {name!r}; {_near(name, known)}")
    for part in fields(LAWS[kind]):
        if part.default is MISSING and part.name not in values:
            raise ValueError(f"the law {kind!r} needs {part.name!r}; give it")
    read = {name: law_of(value) if name == "law" else value for name, value in values.items()}
    try:
        return LAWS[kind](**read)
    except TypeError as error:
        raise ValueError(f"the law {kind!r} cannot be made: {error}") from None


def check_law(truth: Any) -> None:
    """Raise ValueError if a truth's law is not a law, or cannot draw it."""
    if truth.law is None:
        return
    if not isinstance(truth.law, Law):
        raise ValueError(f"law is {shown(truth.law)}; give a law such as generators.TANLaw(), or None")
    truth.law.check(truth)


def check_positive(name: str, value: Any) -> float:
    """Return a number as float, or raise ValueError if it is not positive and finite."""
    number = check_finite(name, value)
    if number <= 0:
        raise ValueError(f"{name} is {shown(value)}; give a positive finite number")
    return number


def check_finite(name: str, value: Any) -> float:
    """Return a number as float, or raise ValueError if it is negative or not finite."""
    if isinstance(value, bool) or not isinstance(value, Real) or not 0 <= float(value) < np.inf:
        raise ValueError(f"{name} is {shown(value)}; give a finite number, 0 or more")
    return float(value)


def check_count(name: str, value: Any) -> int:
    """Return a whole number of at least 0, or raise ValueError."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 0:
        raise ValueError(f"{name} is {shown(value)}; give a whole number, 0 or more")
    return int(value)


def check_marginal(value: Any) -> tuple[float, ...] | None:
    """Return a class distribution as a tuple; None stays None."""
    if value is None:
        return None
    given = np.asarray(value, dtype=object)
    numbers = given.ndim == 1 and given.size and all(isinstance(one, Real) for one in given)
    checked = given.astype(float) if numbers else np.zeros(1)
    if not (checked > 0).all() or abs(checked.sum() - 1) > 1e-8:
        raise ValueError(
            f"class_marginal is {shown(value)}; give positive probabilities that sum to one, or None"
        )
    return tuple(checked.tolist())


def _plain(value: Any) -> Any:
    if isinstance(value, Law):
        return value.to_document()
    return list(value) if isinstance(value, tuple) else value


def _near(word: Any, known: Mapping[str, Any] | Sequence[str]) -> str:
    close = get_close_matches(str(word), list(known), n=1)
    return f"did you mean {close[0]!r}?" if close else f"give one of {', '.join(sorted(known))}"
