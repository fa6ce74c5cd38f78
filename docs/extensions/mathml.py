"""Formulas as MathML, which browsers draw themselves, so that a page fetches nothing."""

from typing import TYPE_CHECKING, Any

from latex2mathml.converter import convert

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def inline(translator: Any, node: Any) -> None:
    """Write a formula of a line."""
    translator.body.append(convert(node.astext()))
    _skip()


def displayed(translator: Any, node: Any) -> None:
    """Write a formula on lines of its own."""
    translator.body.append(f'<div class="formula">{convert(node.astext(), display="block")}</div>')
    _skip()


def _skip() -> None:
    from docutils.nodes import SkipNode

    raise SkipNode  # the text of the formula is written


def setup(app: "Sphinx") -> dict[str, Any]:
    """Make MathML the way to write formulas."""
    app.add_html_math_renderer("mathml", (inline, None), (displayed, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
