"""The declarations of an ARFF file."""

import re
from collections.abc import Collection
from dataclasses import dataclass

from workbench.base.errors import nearest
from workbench.datasets._shared.lines import Lines
from workbench.datasets.arff.scanner import Field, Malformed, ended, scan, scan_field, skip_blanks

__all__ = ["ArffAttribute", "read_header"]

KEYWORD = re.compile(r"\s*@([A-Za-z_]*)")
NAME = re.compile(r"""[^\s{}'"%][^\s{}'"]*""")
TYPE = re.compile(r"[A-Za-z]+")
RANGE = re.compile(r"\[[^\]]*\]")
KINDS = {"numeric": "numeric", "real": "numeric", "integer": "numeric", "string": "string"}
REFUSED = ("date", "relational")


@dataclass(frozen=True)
class ArffAttribute:
    """An attribute as an ARFF file declares it.

    Attributes
    ----------
    name : str
    kind : {"nominal", "numeric", "string"}
        ``integer`` and ``real`` are numeric.
    values : tuple of str
        The declared values of a nominal attribute, in order. Otherwise empty.

    Examples
    --------
    >>> ArffAttribute("outlook", "nominal", ("sunny", "rainy")).kind
    'nominal'
    """

    name: str
    kind: str
    values: tuple[str, ...] = ()


def read_header(lines: Lines) -> tuple[str, tuple[ArffAttribute, ...]]:
    """Read up to ``@data``."""
    relation, attributes = "", dict[str, ArffAttribute]()
    while block := lines.block(1):
        line = block[0].rstrip("\n").removeprefix("\ufeff" if lines.count == 1 else "")
        if ended(line, skip_blanks(line, 0)):
            continue
        try:
            keyword, at = _keyword(line)
            if keyword == "relation":
                relation = _relation(line, at)
            elif keyword == "attribute":
                attribute = _attribute(line, at, attributes)
                attributes[attribute.name] = attribute
            else:
                _check_data(line, at, attributes)
                return relation, tuple(attributes.values())
        except Malformed as error:
            raise lines.error(lines.count, error.at, error.what) from None
    raise lines.error(lines.count + 1, 0, "the file ends before @data")


def _keyword(line: str) -> tuple[str, int]:
    match = KEYWORD.match(line)
    if not match:
        raise Malformed(skip_blanks(line, 0), "@relation, @attribute or @data is expected before the rows")
    word = match.group(1).lower()
    if word not in ("relation", "attribute", "data"):
        hint = nearest(f"@{word}", ["@relation", "@attribute", "@data"])
        raise Malformed(match.start(1) - 1, f"@{word} is not a keyword of ARFF: {hint}")
    return word, match.end()


def _relation(line: str, at: int) -> str:
    at = skip_blanks(line, at)
    if line[at : at + 1] in ("'", '"'):
        return scan_field(line, at)[0].text
    return line[at:].strip()  # programs write names of relations that are not quoted and have blanks


def _attribute(line: str, at: int, earlier: Collection[str]) -> ArffAttribute:
    start = skip_blanks(line, at)
    if start == at:
        raise Malformed(at, "a blank is expected after @attribute")
    name, at = _name(line, start)
    if name in earlier:
        raise Malformed(start, f"the attribute {name!r} is declared twice")
    at = skip_blanks(line, at)
    if line[at : at + 1] == "{":
        fields, end = scan(line, at + 1, closing="}")
        attribute = ArffAttribute(name, "nominal", _values(fields))
    else:
        kind, end = _kind(line, at)
        attribute = ArffAttribute(name, kind)
    if not ended(line, end := skip_blanks(line, end)):
        raise Malformed(end, "nothing is expected after the type of an attribute")
    return attribute


def _name(line: str, at: int) -> tuple[str, int]:
    if line[at : at + 1] in ("'", '"'):
        field, end = scan_field(line, at)
        return field.text, end
    match = NAME.match(line, at)
    if not match:
        raise Malformed(at, "the name of an attribute is expected, in quotes if it has blanks or braces")
    return match.group(), match.end()


def _values(fields: list[Field]) -> tuple[str, ...]:
    seen: dict[str, None] = {}
    for field in fields:
        if field.text in seen:
            raise Malformed(field.at, f"the value {field.text!r} is declared twice")
        if field.text == "?" and not field.is_quoted:
            raise Malformed(
                field.at, "? stands for a missing value and cannot be declared: remove or quote it"
            )
        seen[field.text] = None
    return tuple(seen)


def _kind(line: str, at: int) -> tuple[str, int]:
    match = TYPE.match(line, at)
    if not match:
        raise Malformed(at, "the type of an attribute is expected: numeric, string, or values in braces")
    word = match.group().lower()
    if word in REFUSED:
        raise Malformed(at, f"{word} attributes are not read: declare it as string or numeric, or drop it")
    if word not in KINDS:
        hint = nearest(word, [*KINDS, *REFUSED])
        raise Malformed(at, f"{match.group()!r} is not a type of ARFF: {hint}")
    end = skip_blanks(line, match.end())
    # some programs write the range of a numeric attribute after its type
    bounds = RANGE.match(line, end) if KINDS[word] == "numeric" else None
    return KINDS[word], bounds.end() if bounds else end


def _check_data(line: str, at: int, attributes: Collection[str]) -> None:
    if not ended(line, at := skip_blanks(line, at)):
        raise Malformed(at, "nothing is expected after @data on its line")
    if not attributes:
        raise Malformed(at, "no attribute is declared before @data")
