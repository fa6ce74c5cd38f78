"""The parameters of a member of a family, by its signature and its docstring."""

import inspect
import re
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

__all__ = ["Parameter", "parameters_of"]

#: The head of a section of numpydoc, and a reference to another docstring for the same parameters.
SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.MULTILINE)
AS_FOR = re.compile(r"^(?:As (?:for|in|of)|See) `(\w+)`")


class Parameter(NamedTuple):
    """What can be said of one."""

    name: str
    kind: str  # types, and the default
    meaning: str


def parameters_of(member: Any) -> Iterator[Parameter]:
    """Yield those of a class, a function or a metric, in the order of the signature."""
    made = member if inspect.isfunction(member) or inspect.isclass(member) else type(member)
    described = _described(made)
    for name, own in inspect.signature(made).parameters.items():
        kind, meaning = described.get(name, ("", ""))
        if "default" not in kind and "optional" not in kind and own.default is not own.empty:
            kind = f"{kind}, default={own.default!r}".removeprefix(", ")
        if own.kind not in (own.VAR_KEYWORD, own.VAR_POSITIONAL):
            yield Parameter(name, kind, meaning)


def _described(made: Any) -> dict[str, tuple[str, str]]:
    """Return types and meanings by name, also where a docstring refers to that of another function."""
    sections = SECTION.split(inspect.getdoc(made) or "")
    text = dict(zip(sections[1::2], sections[2::2], strict=True)).get("Parameters", "")
    found: dict[str, tuple[str, str]] = {}
    for entry in re.split(r"\n(?=\S)", text.strip()):
        head, _, body = entry.partition("\n")
        names, _, kind = head.partition(" : ")
        meaning = " ".join(body.split())
        other = AS_FOR.match(meaning)
        elsewhere = _described(_of_the_same_package(made, other[1])) if other else {}
        for name in names.split(", "):
            found[name] = elsewhere.get(name, (kind.replace("``", ""), meaning))
    return found


def _of_the_same_package(made: Any, name: str) -> Any:
    return getattr(sys.modules[str(made.__module__).partition(".")[0]], name, None)
