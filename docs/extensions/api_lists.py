"""The names that pages list and mention: what is read of them without Sphinx."""

import pydoc
import re
from dataclasses import dataclass
from pathlib import Path

LIST = re.compile(r"^\.\. autosummary::\n((?:   :.*\n)*)\n((?:   \S+\n?)+)", flags=re.MULTILINE)
MODULE = re.compile(r"^\.\. currentmodule:: (\S+)$", flags=re.MULTILINE)
DOTTED = re.compile(r"(?:generators|learners|workbench)(?:\.\w+)+")
#: Dotted words that are no names of Python: groups of entry points.
WORDS = {"workbench.learners"}


@dataclass(frozen=True)
class Listed:
    """What a page lists, by full names: names that get a page of their own, and names that link to one."""

    own: tuple[str, ...]
    linked: tuple[str, ...]


def listed(text: str) -> Listed:
    """Read the lists of a page."""
    (module,) = MODULE.findall(text) or [""]
    own: list[str] = []
    linked: list[str] = []
    for options, names in LIST.findall(text):
        for name in names.split():
            if ":toctree:" in options:
                own.append(f"{module}.{name}")
            else:
                linked.append(name.removeprefix("~"))
    return Listed(tuple(own), tuple(linked))


def pages_of(docs: Path) -> dict[str, Listed]:
    """Return what each module's page lists."""
    pages = sorted((docs / "reference" / "api").glob("*.rst"))
    return {page.stem: listed(page.read_text(encoding="utf-8")) for page in pages if page.stem != "index"}


def is_gone(target: str) -> bool:
    """Return whether a dotted name in our packages is the name of nothing, as after renaming."""
    return bool(DOTTED.fullmatch(target)) and target not in WORDS and pydoc.locate(target) is None
