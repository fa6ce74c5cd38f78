"""Laws of kinds that are not known here, which documents may name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from generators.base.validation import shown
from generators.laws._shared.law import LAWS, Law, check_nesting, law_of

__all__ = ["UnknownLaw", "law_or_unknown"]


@dataclass(frozen=True)
class UnknownLaw(Law):
    """A law of a kind not known here, such as one of a package that is not imported; kept as it is."""

    text: str  # its document, as JSON

    def __post_init__(self) -> None:
        try:
            document = json.loads(self.text)
        except (TypeError, ValueError):
            document = None
        if not (isinstance(document, dict) and isinstance(document.get("kind"), str)):
            raise ValueError(f"text is {shown(self.text)}; give the document of a law as JSON, with its kind")

    @property
    def kind(self) -> str:  # type: ignore[override]
        """The word for it in JSON."""
        return str(self.to_document()["kind"])

    @property
    def words(self) -> str:
        """The law in words."""
        return f"an unknown law, {self.text}"

    @property
    def obstacle(self) -> str:
        """Why the best forecasts cannot be computed."""
        return f"its law is of the kind {shown(self.kind)}, which is not known here"

    def to_document(self) -> dict[str, Any]:
        """Return the document as it was read."""
        return dict(json.loads(self.text))


def law_or_unknown(document: Any) -> Law:
    """Return the law that plain data describe, as `law_of` does, but keep laws that are not known here."""
    check_nesting(document)
    inner = document
    while isinstance(inner, Mapping):
        kind = inner.get("kind")
        if isinstance(kind, str) and kind not in LAWS:
            return UnknownLaw(json.dumps(document, allow_nan=False))
        inner = inner.get("law")
    return law_of(document)
