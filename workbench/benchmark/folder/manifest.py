"""The manifest of a benchmark: how it was made, and the checksums of its content."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generators.base.checksum import canonical_text
from workbench.base.checks import check_file_name
from workbench.base.errors import WorkbenchError
from workbench.benchmark.columns import FileColumn, digest_of_bytes
from workbench.benchmark.formats import format_of
from workbench.engine.provenance import versions

__all__ = ["MANIFEST", "README", "Manifest", "made_with"]

MANIFEST, README = "manifest.json", "README.md"
FORMAT, VERSION = "workbench benchmark", 1


@dataclass(frozen=True)
class Manifest:
    """The content of `manifest.json`."""

    made: dict[str, Any]  # the plan, from `Plan.describe`
    versions: dict[str, Any]  # of Python and of the packages that determine numbers and bytes
    models: tuple[dict[str, Any], ...]
    readme: str  # checksum of README.md
    stated: str | None = None  # the checksum that the manifest records; None for a new one

    @property
    def checksum(self) -> str:
        """Checksum of the rest of the manifest."""
        return digest_of_bytes(canonical_text(self._content()).encode("ascii"))

    @property
    def format(self) -> str:
        """Format of the files of rows."""
        return str(self.made["format"])

    def text(self) -> str:
        """Write the manifest as JSON."""
        return json.dumps({**self._content(), "checksum": self.checksum}, indent=1, allow_nan=False) + "\n"

    @classmethod
    def read(cls, folder: Path) -> "Manifest":
        """Read the manifest of a folder."""
        path = folder / MANIFEST
        try:
            document = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise WorkbenchError(f"{folder} is not a benchmark: it has no {MANIFEST}") from None
        except (OSError, ValueError) as error:
            raise WorkbenchError(f"{path} cannot be read: {error}") from error
        try:
            return cls._of(document)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            what = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
            raise WorkbenchError(f"{path} is not the manifest of a benchmark: {what}") from error

    @classmethod
    def _of(cls, document: Any) -> "Manifest":
        if document["format"] != FORMAT or document["version"] != VERSION:
            raise ValueError(f"expected {FORMAT!r} of version {VERSION}")
        format_of(document["made"]["format"])
        for entry in document["models"]:
            check_file_name(entry["name"], "the model's name", "the manifest was changed")
            columns_in(entry)
        return cls(
            dict(document["made"]),
            dict(document["versions"]),
            tuple(document["models"]),
            str(document["readme"]),
            str(document["checksum"]),
        )

    def _content(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "version": VERSION,
            "made": self.made,
            "versions": self.versions,
            "readme": self.readme,
            "models": list(self.models),
        }


def columns_in(entry: Mapping[str, Any]) -> tuple[FileColumn, ...]:
    """Return the columns of a model's rows from its entry, or raise ValueError if that is damaged."""
    return tuple(map(_column, entry["columns"]))


def _column(one: Mapping[str, Any]) -> FileColumn:
    states, labels = one["states"], one["labels"]
    words = [one["name"], one["label"], *labels]
    if not all(isinstance(word, str) for word in words) or len(labels) != len(states or ()):
        raise ValueError(f"a column has the states {states!r:.200} and the labels {labels!r:.200}")
    return FileColumn(one["name"], one["label"], None if states is None else tuple(states), tuple(labels))


def made_with() -> dict[str, Any]:
    """Return the versions that determine the bytes of a benchmark."""
    import importlib.metadata
    import platform

    found: dict[str, Any] = {"python": platform.python_version(), **versions()}
    for name in ("pgmpy", "pyarrow"):
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = None
    return found
