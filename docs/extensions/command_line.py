"""The directive `commands`: a section for each command, from the signature of its function."""

import inspect
import types
import typing
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from typer.models import ArgumentInfo, OptionInfo

from workbench.cli.app import ANALYSES, COMMANDS

WORDS = {Path: "PATH", int: "NUMBER", float: "NUMBER", str: "TEXT"}


@dataclass(frozen=True)
class Parameter:
    """An argument or an option: how it is typed, what `--help` says of it, what it is by default."""

    name: str
    kind: type
    repeated: bool
    info: ArgumentInfo | OptionInfo
    default: object

    @property
    def is_argument(self) -> bool:
        """Whether it has a place and no name."""
        return isinstance(self.info, ArgumentInfo)

    @property
    def typed(self) -> str:
        """What is typed."""
        if self.is_argument:
            word = self.name.strip("_").upper() + ("..." if self.repeated else "")
            return word if self.default is inspect.Parameter.empty else f"[{word}]"
        named = [word for word in self.info.param_decls or () if word.startswith("-")]
        names = ", ".join(named or [f"--{self.name.strip('_').replace('_', '-')}"])
        return names if self.kind is bool else f"{names} {WORDS.get(self.kind, 'WORD')}"

    @property
    def said(self) -> str:
        """Its help and its default, as reStructuredText."""
        words = with_code(" ".join((self.info.help or "").split()))
        if self.default in (inspect.Parameter.empty, None, False, ""):
            return words
        return f"{words} By default ``{self.default}``."


def parameters_of(command: Callable[..., None]) -> list[Parameter]:
    """Return the parameters of a command in the order in which it names them."""
    hints = typing.get_type_hints(inspect.unwrap(command), include_extras=True)
    found = []
    for name, parameter in inspect.signature(command).parameters.items():
        plain, info = typing.get_args(hints[name])
        if isinstance(plain, types.UnionType):
            (plain,) = (one for one in typing.get_args(plain) if one is not type(None))
        repeated = typing.get_origin(plain) is list
        kind = typing.get_args(plain)[0] if repeated else plain
        found.append(Parameter(name, kind, repeated, info, parameter.default))
    return found


def with_code(words: str) -> str:
    """Return text as reStructuredText: what stands in backquotes is code, all else is words."""
    pieces = words.replace("``", "`").split("`")
    plain = ["".join(f"\\{one}" if one in "*|_\\" else one for one in piece) for piece in pieces]
    return "".join(f"``{piece}``" if i % 2 else plain[i] for i, piece in enumerate(pieces))


def section_of(command: Callable[..., None]) -> list[str]:
    """Return the section of one command."""
    name, parameters = command.__name__.rstrip("_").replace("_", "-"), parameters_of(command)
    name = f"analyze {name}" if command in ANALYSES else name
    usage = ["workbench", name, *(one.typed for one in parameters if one.is_argument), "[OPTIONS]"]
    said = [with_code(" ".join(part.split())) for part in (inspect.getdoc(command) or "").split("\n\n")]
    lines = [name, "-" * len(name), "", "\n\n".join(said), "", "::", "", f"   {' '.join(usage)}", ""]
    for one in parameters:
        again = " May be repeated." if one.repeated else ""
        lines += [f"``{one.typed}``", f"   {one.said}{again}", ""]
    return lines


class Commands(SphinxDirective):
    """Document all commands, in the order of `workbench --help`."""

    def run(self) -> list[nodes.Node]:
        """Parse the sections of the commands."""
        lines = [line for command in (*COMMANDS, *ANALYSES) for line in section_of(command)]
        return self.parse_text_to_nodes("\n".join(lines), allow_section_headings=True)


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directive."""
    app.add_directive("commands", Commands)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
