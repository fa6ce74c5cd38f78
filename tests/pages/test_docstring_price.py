"""A docstring of more than one line is for names that people type: those of the API's pages, and commands."""

import ast
import inspect
import runpy
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from workbench.cli.app import ANALYSES, COMMANDS

ROOT = Path(__file__).resolve().parents[2]
PAGES = runpy.run_path(str(ROOT / "docs" / "extensions" / "api_lists.py"))["pages_of"](ROOT / "docs")
PACKAGES = ("generators", "learners", "workbench")
#: Lines of longer docstrings on other names, by folder. The last line: what a `Study` is made of
#: (`LearnerSpec`, `Scores`), `on_dask`, `recalibrated`, `early_stopped` and `pretrained`, which guides
#: import.
ALLOWED = {
    "workbench/metrics": 92,
    "workbench/engine": 6, "workbench/estimators": 23, "workbench/study": 24,
}  # fmt: skip

Place = tuple[str, str]


def place_of(named: Any) -> Place:
    return named.__module__, named.__qualname__


def methods_of(kind: type) -> Iterator[Place]:
    """List the public methods and properties of a class, also those of bases that have no page."""
    for base in (base for base in kind.__mro__ if base.__module__.startswith(PACKAGES)):
        for name, member in vars(base).items():
            found: Any = getattr(member, "fget", None) or getattr(member, "func", None) or member
            found = inspect.unwrap(getattr(found, "__func__", found))
            if callable(found) and (not name.startswith("_") or name in {"__init__", "__call__"}):
                yield found.__module__, getattr(found, "__qualname__", name)


@cache
def typed() -> set[Place]:
    """Return what people type, as modules and qualified names."""
    found = [resolve_name(":".join(name.rsplit(".", 1))) for page in PAGES.values() for name in page.own]
    # an instance, as metrics are, has the docstring of its class
    named = [inspect.unwrap(one) if hasattr(one, "__qualname__") else type(one) for one in found]
    methods = {place for one in named if inspect.isclass(one) for place in methods_of(one)}
    return {*map(place_of, named), *map(place_of, (*COMMANDS, *ANALYSES)), *methods}


def docstrings(node: ast.AST, outer: str = "") -> Iterator[tuple[str, int]]:
    """List the qualified names below a node that have a docstring, with its number of lines."""
    for child in (child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt)):
        if not isinstance(child, ast.FunctionDef | ast.ClassDef):
            yield from docstrings(child, outer)
            continue
        name = outer + child.name
        if ast.get_docstring(child, clean=False) is not None:
            text = child.body[0]
            yield name, (text.end_lineno or 0) - text.lineno + 1
        yield from docstrings(child, f"{name}." if isinstance(child, ast.ClassDef) else f"{name}.<locals>.")


def long_ones(root: Path) -> Iterator[tuple[str, Place, int]]:
    """List folder, place and lines of docstrings that are longer than a line, on names that nobody types."""
    for path in (path for package in PACKAGES for path in sorted((root / package).rglob("*.py"))):
        parts = path.relative_to(root).with_suffix("").parts
        module = ".".join(parts).removesuffix(".__init__")
        for name, n in docstrings(ast.parse(path.read_text(encoding="utf-8"))):
            if n > 1 and (module, name) not in typed():
                yield "/".join(parts[:2]), (module, name), n


def test_what_nobody_types_has_a_docstring_of_one_line() -> None:
    found = list(long_ones(ROOT))
    lines = Counter[str]()
    for folder, _, n in found:
        lines[folder] += n
    over = {folder for folder in lines if lines[folder] > ALLOWED.get(folder, 0)}
    assert [(*place, n) for folder, place, n in found if folder in over] == [], (
        "one line; what else: comments"
    )
    assert dict(lines) == ALLOWED, "lower what the table allows"


def test_methods_are_typed_also_those_of_bases_and_helpers_are_not() -> None:
    base, kernels = "learners.base", "workbench.optimal._kernels.aode_gibbs"
    assert {("workbench.cli.commands.run", "run"), ("workbench.api", "compare")} <= typed()
    assert (base, "ProbabilisticClassifier.predict") in typed()
    assert not {(base, "ProbabilisticClassifier"), (kernels, "sweep_rows")} & typed()


def test_a_longer_docstring_of_a_helper_is_found(tmp_path: Path) -> None:
    (tmp_path / "workbench" / "room").mkdir(parents=True)
    text = (
        'class A:\n    def b(self):\n        """C.\n\n        D."""\n        def e():\n            """F."""\n'
    )
    (tmp_path / "workbench" / "room" / "file.py").write_text(text)
    assert list(long_ones(tmp_path)) == [("workbench/room", ("workbench.room.file", "A.b"), 3)]
