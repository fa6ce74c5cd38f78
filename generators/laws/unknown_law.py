"""Laws of unknown kinds, which documents may contain."""

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
    """A law of an unknown kind, such as a kind of a package that is not imported, kept unchanged."""

    text: str  # its document, as JSON

    def __post_init__(self) -> None:
        try:
            document = json.loads(self.text)
        except (TypeError, ValueError):
            document = None
        if not (isinstance(document, dict) and isinstance(document.get("kind"), str)):
            raise ValueError(f"text is {shown(self.text)}: expected a law as JSON, with its kind")

    @property
    def kind(self) -> str:  # type: ignore[override]
        """Name of the kind in JSON."""
        return str(self.to_document()["kind"])

    @property
    def words(self) -> str:
        """Description of the law."""
        return f"an unknown law, {self.text}"

    @property
    def obstacle(self) -> str:
        """Reason why the optimal forecasts cannot be computed."""
        return f"its law is of the kind {shown(self.kind)}, which is not known here"

    def to_document(self) -> dict[str, Any]:
        """Return the document as it was read."""
        return dict(json.loads(self.text))


def law_or_unknown(document: Any) -> Law:
    """Return the law described by plain data, and keep laws of unknown kinds."""
    check_nesting(document)
    inner = document
    while isinstance(inner, Mapping):
        kind = inner.get("kind")
        if isinstance(kind, str) and kind not in LAWS:
            return UnknownLaw(json.dumps(document, allow_nan=False))
        inner = inner.get("law")
    return law_of(document)
