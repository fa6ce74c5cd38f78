"""Networks to and from XMLBIF 0.3, the XML of the Interchange Format, which Weka and JavaBayes use.

Names and states are those of BIF: labels, with the exact ones in a comment. Entities are refused, since a
short text with entities can expand beyond the memory.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.parsers import expat

from generators.base.factorization import Factorization
from generators.base.validation import shown
from generators.files.families import CLASS_ROLE, NETWORK_NAME, Families
from generators.files.labels import exact_values, head_comments, labels_of
from generators.files.tokens import numbers_of

__all__ = ["to_xmlbif", "xmlbif_arguments"]


def to_xmlbif(network: Factorization) -> str:
    """Return a network as XMLBIF: a comment, variables in order, then their CPTs."""
    names, states = labels_of(network)
    # JSON may write a minus as a number, and no comment of XML has two of them in a row
    comments = [line.replace("--", "-\\u002d") for line in head_comments(network, names, states, "//")]
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<!--", *comments, "-->"]
    lines += ['<BIF VERSION="0.3">', "<NETWORK>", f"<NAME>{NETWORK_NAME}</NAME>"]
    for v, (name, own) in enumerate(zip(names, states, strict=True)):
        role = [f"  <PROPERTY>{CLASS_ROLE}</PROPERTY>"] if v == network.class_index else []
        outcomes = (f"  <OUTCOME>{state}</OUTCOME>" for state in own)
        lines += ['<VARIABLE TYPE="nature">', f"  <NAME>{name}</NAME>", *outcomes, *role, "</VARIABLE>"]
    for name, parents, cpt in zip(names, network.parent_indices, network.cpts, strict=True):
        above = (f"  <GIVEN>{names[parent]}</GIVEN>" for parent in parents)
        table = f"  <TABLE>{' '.join(map(repr, cpt.ravel().tolist()))}</TABLE>"
        lines += ["<DEFINITION>", f"  <FOR>{name}</FOR>", *above, table, "</DEFINITION>"]
    return "\n".join([*lines, "</NETWORK>", "</BIF>", ""])


def xmlbif_arguments(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the arguments of `Network` that an XMLBIF file describes."""
    tree, families = _Tree(Path(path).read_bytes()), Families()
    definitions: list[_Element] = []  # which may come before their variables
    for network in tree.root.parts("NETWORK"):
        for part in network.parts("NAME", "PROPERTY", "VARIABLE", "DEFINITION"):
            if part.tag == "VARIABLE":
                _declare(part, families)
            elif part.tag == "DEFINITION":
                definitions.append(part)
    for part in definitions:
        part.parts("FOR", "GIVEN", "TABLE", "PROPERTY")
        name = families.define(part.one("FOR"), part.texts("GIVEN"), part.place)
        families.fill(name, _numbers(part, name), part.place)
    return families.arguments(exact_values(tree.comment.strip("\n"), "//"))


@dataclass
class _Element:
    tag: str
    place: str
    attributes: dict[str, str]
    pieces: list[str] = field(default_factory=list)  # of its text
    children: list[_Element] = field(default_factory=list)

    def parts(self, *tags: str) -> list[_Element]:
        """Return the parts of an element, or raise ValueError if it has others."""
        for part in self.children:
            if part.tag not in tags:
                where = f" in <{self.tag}>" if self.tag else ""
                raise ValueError(
                    f"{part.place}: found <{part.tag}>{where}, expected {' or '.join(tags)} of XMLBIF 0.3"
                )
        return self.children

    def texts(self, tag: str) -> list[str]:
        """Return the texts of the parts with a tag."""
        return ["".join(part.pieces).strip() for part in self.children if part.tag == tag]

    def one(self, tag: str) -> str:
        """Return the text of the only part with a tag."""
        found = self.texts(tag)
        if len(found) != 1:
            raise ValueError(f"{self.place}: <{self.tag}> has {len(found)} parts <{tag}>: expected one")
        return found[0]


def _declare(part: _Element, families: Families) -> None:
    part.parts("NAME", "OUTCOME", "PROPERTY")
    name, kind = part.one("NAME"), part.attributes.get("TYPE", "nature")
    if kind.lower() != "nature":
        raise ValueError(
            f"{part.place}: {shown(name)} is of the type {shown(kind)}, expected 'nature': only variables "
            "with probabilities are read"
        )
    is_class = any(said.split() == CLASS_ROLE.split() for said in part.texts("PROPERTY"))
    families.declare(name, part.texts("OUTCOME"), part.place, is_class)


def _numbers(part: _Element, name: str) -> list[float]:
    text = part.one("TABLE")
    try:
        return numbers_of(text.split())
    except ValueError as error:
        raise ValueError(f"{part.place}: the table of {shown(name)} is wrong, {error}: correct it") from None


class _Tree:
    """The elements of an XML file and its first comment. The methods are the parser's handlers."""

    def __init__(self, content: bytes) -> None:
        self.comment = ""
        self._path = [_Element("", "", {})]
        self._parser = parser = expat.ParserCreate()
        parser.StartElementHandler, parser.EndElementHandler = self._begin, self._end
        parser.CharacterDataHandler, parser.CommentHandler = self._say, self._remark
        parser.EntityDeclHandler, parser.SkippedEntityHandler = self._refuse, self._refuse
        try:
            parser.Parse(content, True)
        except expat.ExpatError as error:
            what = f"line {error.lineno}, column {error.offset + 1}: {expat.ErrorString(error.code)}"
            raise ValueError(f"{what}: correct the XML") from None
        except LookupError as error:
            raise ValueError(f"the XML cannot be read ({error}): write it in UTF-8") from None
        (self.root,) = self._path[0].parts("BIF")

    def _place(self) -> str:
        return f"line {self._parser.CurrentLineNumber}, column {self._parser.CurrentColumnNumber + 1}"

    def _begin(self, tag: str, attributes: dict[str, str]) -> None:
        element = _Element(tag.upper(), self._place(), attributes)
        self._path[-1].children.append(element)
        self._path.append(element)

    def _end(self, _: str) -> None:
        self._path.pop()

    def _say(self, text: str) -> None:
        self._path[-1].pieces.append(text)

    def _remark(self, text: str) -> None:
        self.comment = self.comment or text

    def _refuse(self, name: str, *_: object) -> None:
        raise ValueError(f"{self._place()}: found the entity {shown(name)}, expected none: write it out")
