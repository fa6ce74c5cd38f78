"""What autodoc does not say by itself: how a metric is called, what a constant is, which members are ours."""

import ast
import importlib
import inspect
from collections.abc import Mapping
from typing import Any

from api_lists import is_gone
from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.pycode import ModuleAnalyzer
from sphinx.roles import XRefRole

from workbench.metrics import Metric

PACKAGES = ("generators.", "learners.", "workbench.")


def is_foreign(member: object) -> bool:
    """Whether a member comes from a base class of another library, whose documentation says what it does."""
    function = member.fget if isinstance(member, property) else member
    owner = getattr(function, "__objclass__", None)
    module = getattr(function, "__module__", None) or getattr(owner, "__module__", None) or ""
    return bool(module) and not module.startswith(PACKAGES)


def comment_of(module: str, name: str) -> list[str]:
    """Return the comment ``#:`` of a constant, in the module that defines it."""
    found = ModuleAnalyzer.for_module(module).find_attr_docs().get(("", name))
    if found:
        return list(found)
    for node in ast.parse(inspect.getsource(importlib.import_module(module))).body:
        if isinstance(node, ast.ImportFrom) and node.module and name in (one.name for one in node.names):
            return comment_of(node.module, name)
    return []


def members_of(value: object) -> list[str]:
    """Return one line for each member of a table of members."""
    if not isinstance(value, Mapping):
        return []
    rows = ((key, getattr(one, "__name__", type(one).__name__)) for key, one in value.items())
    return ["", *(f"* ``{key}``: `{name}`" for key, name in rows), ""]


def facts_of(metric: Metric) -> list[str]:
    """Return how a metric is called, and what it declares."""
    parameters = inspect.signature(metric.__call__).parameters.values()
    plain = [one.replace(annotation=inspect.Parameter.empty) for one in parameters]
    call = str(inspect.Signature(plain)).replace("*", r"\*")
    kind = type(metric)
    low, high = (f"{bound:g}" for bound in metric.bounds)
    needs = f"; needs: {', '.join(sorted(metric.needs))}" if metric.needs else ""
    exact = "; exact expectations where the truth is known" if metric.has_expected else ""
    given = ", ".join(f"{name}={value!r}" for name, value in metric.options.items())
    made = f" It is ``{kind.__name__}({given})``." if inspect.signature(kind).parameters else ""
    return [
        f".. rubric:: {metric.name}{call}",
        "",
        f"In {metric.unit}, {metric.direction} is better; from {low} to {high}; "
        f"{'proper' if metric.proper else 'not proper'}{needs}{exact}.{made}",
        "",
    ]


class Mention(XRefRole):
    """What stands in single backquotes: a link if it is the name of something documented, else code."""

    def process_link(
        self, env: BuildEnvironment, refnode: nodes.Element, has_explicit_title: bool, title: str, target: str
    ) -> tuple[str, str]:
        """Look it up as Python's domain does."""
        refnode.update_all_atts(
            {
                "refdomain": "py",
                "reftype": "obj",
                "mention": True,
                "py:module": env.ref_context.get("py:module"),
                "py:class": env.ref_context.get("py:class"),
            },
            replace=True,
        )
        return title, target


def unlinked(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.Element
) -> nodes.Element | None:
    """Show a mention without a page as code; a dotted name of ours has to be the name of something."""
    return content if node.get("mention") and not is_gone(node["reftarget"]) else None


def describe(app: Sphinx, what: str, name: str, value: Any, options: Any, lines: list[str]) -> None:
    """Complete what is said of metrics and of constants."""
    if isinstance(value, Metric):
        start = next(i for i, line in enumerate(lines) if line)
        end = lines.index("", start) if "" in lines[start:] else len(lines)
        lines[end:] = ["", *facts_of(value), *lines[end:]]
        lines[:] = [":Options:" if line == ":Parameters:" else line for line in lines]
    elif what == "data":
        module, _, own = name.rpartition(".")
        said = [line for line in lines if line] if not isinstance(value, (dict, tuple)) else []
        lines[:] = [*(comment_of(module, own) or said), *members_of(value)]


def skip(app: Sphinx, what: str, name: str, member: object, skipped: bool, options: Any) -> bool | None:
    """Leave out what other libraries document."""
    return True if is_foreign(member) else None


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the events; numpydoc, at 500, has read the docstring by then."""
    app.connect("autodoc-process-docstring", describe, priority=600)
    app.connect("autodoc-skip-member", skip)
    app.connect("missing-reference", unlinked)
    app.add_role("mention", Mention())
    return {"parallel_read_safe": True, "parallel_write_safe": True}
