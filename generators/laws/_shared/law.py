"""The base class of laws: frozen data for JSON and TOML, and checks of truths against them."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from difflib import get_close_matches
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from generators.base.generator import current_names, former_names
from generators.base.validation import shown

__all__ = [
    "LAWS",
    "Law",
    "check_count",
    "check_finite",
    "check_law",
    "check_nesting",
    "escaped",
    "kind_of",
    "law_of",
]

#: Laws by the kind that their documents name.
LAWS: dict[str, type[Law]] = {}
#: What our truths are, by the kind of their documents.
TRUTHS = {
    "network": "a network",
    "mixture": "a mixture of networks",
    "gaussian_naive_bayes": "a Gaussian naive Bayes truth",
    "conditional_gaussian": "a conditional-Gaussian truth",
    "conditional_gaussian_mixture": "a mixture of conditional-Gaussian truths",
    "concept": "a concept of conditions",
    "irrelevant_attributes": "a truth with irrelevant attributes",
    "noisy_copies": "a truth with noisy copies of attributes",
    "label_noise": "a truth with noisy labels",
    "missing_values": "a truth with missing values",
    "numeric_cuts": "a truth shown as numbers",
}
#: How deep laws may be nested.
MOST_NESTED = 100


@dataclass(frozen=True)
class Law:
    """The distribution from which truths with given names and states of the variables are drawn.

    A subclass is a frozen dataclass whose fields are plain values. It declares a `kind`.

    Attributes
    ----------
    kind : str
        Name of this type of law in JSON and TOML files.
    template : str, optional
        Description of the law, with the names of fields in braces. By default it is the kind. Fields that it
        does not name are appended if they differ from their defaults.
    draws : tuple of str
        Types of truths that the law can draw, such as "network" or "mixture". If it is empty, every type is
        accepted.
    """

    kind: ClassVar[str]
    template: ClassVar[str]
    draws: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        kind = vars(cls).get("kind")
        if kind is None and hasattr(cls, "kind"):
            raise TypeError(
                f"{cls.__name__} has no kind, so documents would show it as {cls.kind!r}: give it a kind"
            )
        if isinstance(kind, str):
            other = LAWS.setdefault(kind, cls)
            if (other.__module__, other.__qualname__) != (cls.__module__, cls.__qualname__):
                raise TypeError(
                    f"{cls.__name__} and {other.__name__} have the same kind {kind!r}: give each class "
                    "a different kind"
                )
            LAWS[kind] = cls

    @property
    def words(self) -> str:
        """Description of the law in words, different for different laws."""
        # not inherited: another law needs other words
        template = vars(type(self)).get("template", "")
        start = template.format_map(self._texts()) if template else escaped(self.kind)
        further = [
            f", {name.replace('_', ' ')} {_text(value)}"
            for name, value in current_names(self.to_document()).items()
            if name != "kind" and f"{{{name}}}" not in template
        ]
        return "".join([start, *further])

    def _texts(self) -> dict[str, str]:
        """Return the values as text, for the template."""
        own = {part.name: getattr(self, part.name) for part in fields(self)}
        return {
            name: escaped(value) if isinstance(value, str) else _text(_plain(value))
            for name, value in own.items()
        }

    @property
    def obstacle(self) -> str | None:
        """Reason why the optimal forecasts under this law cannot be computed, or None."""
        return None

    @property
    def kept(self) -> Law:
        """The law of the attributes that are informative about the class, without added attributes."""
        return self

    @property
    def ignored(self) -> tuple[str, ...]:
        """Added attributes, which the optimal forecasts ignore."""
        return ()

    def misfit(self, truth: Any) -> str | None:
        """Return the property of a truth that contradicts this law, or None if none is found.

        Truths of other packages always pass, because this check does not know their structure.
        """
        kind = kind_of(truth)
        if kind is None or not self.draws or self.obstacle is not None:
            return None
        if kind == "missing_values" and self.with_holes() == self and set(truth.drivers) <= {None}:
            return self.misfit(truth.truth)
        if kind not in self.draws:
            return f"it is {TRUTHS[kind]}"
        if getattr(truth, "class_index", 0) is None:
            return "it has no class"
        return self._misfit(truth)

    def _misfit(self, truth: Any) -> str | None:
        """Return the property that contradicts this law, for a truth of a kind that the law draws."""
        return None

    def check(self, truth: Any) -> None:
        """Raise ValueError if a truth cannot come from this law."""
        trouble = self.misfit(truth)
        if trouble is not None:
            what = f"the law {shown(self)} does not fit its truth"
            raise ValueError(f"{what}: {trouble}. State the law that draws it, or none")

    def with_holes(self) -> Law | None:
        """Return the law if values are missing independently of the class, given the observed values.

        Return None if the optimal forecasts have no closed form with missing values.
        """
        return None

    def to_document(self) -> dict[str, Any]:
        """Return the law as plain data: its kind, and the fields that differ from their defaults.

        Examples
        --------
        >>> from generators import TANLaw
        >>> TANLaw(concentration=0.5).to_document()
        {'kind': 'tan', 'concentration': 0.5}
        """
        own = {part.name: getattr(self, part.name) for part in fields(self)}
        changed = {part.name: own[part.name] for part in fields(self) if own[part.name] != part.default}
        return {"kind": self.kind, **former_names({name: _plain(value) for name, value in changed.items()})}


def law_of(document: Any) -> Law:
    """Make the law that is described by plain data.

    Parameters
    ----------
    document : Law or mapping
        A law is returned unchanged. A mapping has the form that `Law.to_document` returns: the kind, and
        fields by name. For the law of a truth, see `truth.law`.

    Raises
    ------
    ValueError
        If the kind or a name is unknown, a value is out of range, or laws are nested too deeply.

    Examples
    --------
    >>> law_of({"kind": "kdb", "k": 1})
    KDBLaw(concentration=1.0, class_marginal=None, class_imbalance=None, k=1)
    """
    if isinstance(document, Law):
        return document
    if hasattr(document, "law") and not isinstance(document, type):
        raise ValueError(f"{shown(document)} is a truth, not a law: give its law, which is truth.law")
    if isinstance(document, str) and document in LAWS:
        raise ValueError(f'{document!r} is the kind of a law, not a law: expected {{"kind": "{document}"}}')
    if isinstance(document, type) and issubclass(document, Law):
        raise ValueError(f"{document.__name__} is a class, not a law: give {document.__name__}()")
    check_nesting(document)
    kind = document.get("kind") if isinstance(document, Mapping) else None
    if not isinstance(kind, str) or kind not in LAWS:
        what = f"the kind {shown(kind)}" if isinstance(document, Mapping) else shown(document)
        raise ValueError(f"{what} is not a law; {_near(kind, LAWS)}")
    known = [part.name for part in fields(LAWS[kind])]
    given = {str(name): value for name, value in document.items() if name != "kind"}
    values = given if {*given} <= {*known} else current_names(given)
    for name in values:
        if name not in known:
            raise ValueError(f"the law {kind!r} has no {name!r}; {_near(name, known)}")
    for part in fields(LAWS[kind]):
        if part.default is MISSING and part.name not in values:
            raise ValueError(f"the law {kind!r} needs {part.name!r}: give it")
    read = {name: law_of(value) if name == "law" else value for name, value in values.items()}
    try:
        return LAWS[kind](**read)
    except (TypeError, OverflowError) as error:
        raise ValueError(f"the law {kind!r} cannot be made: {error}") from None


def check_law(truth: Any) -> None:
    """Raise ValueError if a truth's law is not a law, or cannot draw the truth."""
    if truth.law is None:
        return
    if not isinstance(truth.law, Law):
        raise ValueError(f"law is {shown(truth.law)}: expected a law such as generators.TANLaw(), or None")
    truth.law.check(truth)


def kind_of(truth: Any) -> str | None:
    """Return the kind of a truth as in its documents, or None for truths of other packages."""
    ours = (base for base in type(truth).__mro__ if base.__module__.partition(".")[0] == "generators")
    kinds = (vars(base).get("kind") for base in ours)
    return next((kind for kind in kinds if kind in TRUTHS), None)


def check_nesting(law: Any) -> None:
    """Raise ValueError if a law or a document nests laws too deeply."""
    for _ in range(MOST_NESTED):
        law = law.get("law") if isinstance(law, Mapping) else getattr(law, "law", None)
        if law is None:
            return
    raise ValueError(f"laws are nested {MOST_NESTED} deep or deeper: name the added attributes in one law")


def check_finite(name: str, value: Any) -> float:
    """Return a number as float, or raise ValueError if it is negative or not finite."""
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not (is_number and 0 <= value <= sys.float_info.max):
        raise ValueError(f"{name} is {shown(value)}: expected a finite number, 0 or more")
    return float(value)


def check_count(name: str, value: Any) -> int:
    """Return a whole number of at least 0, or raise ValueError."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 0:
        raise ValueError(f"{name} is {shown(value)}: expected a whole number, 0 or more")
    return int(value)


def escaped(text: str) -> str:
    """Return text on one line with unprintable characters escaped, so that distinct texts stay distinct."""
    return "".join(
        one if one.isprintable() and one != "\\" else one.encode("unicode_escape").decode() for one in text
    )


def _text(value: Any) -> str:
    if isinstance(value, float) and float(f"{value:g}") == value:
        return f"{value:g}"
    return json.dumps(value)


def _plain(value: Any) -> Any:
    if isinstance(value, Law):
        return value.to_document()
    return list(value) if isinstance(value, tuple) else value


def _near(word: Any, known: Mapping[str, Any] | Sequence[str]) -> str:
    close = get_close_matches(str(word), list(known), n=1)
    return f"did you mean {close[0]!r}?" if close else f"give one of {', '.join(sorted(known))}"
