"""Networks to and from Hugin's .net, as far as all variables are discrete.

Names and states are those of BIF: labels, with the exact ones in comments.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import Any

from generators.base.factorization import Factorization
from generators.files.families import CLASS_ROLE, Families
from generators.files.labels import exact_values, head_comments, labels_of
from generators.files.tokens import Tokens, text_of

__all__ = ["net_arguments", "to_net"]

_KEY, _CLASS = CLASS_ROLE.split(" = ")
_TOKEN = re.compile(
    r'[\s,]++|%[^\n]*+|"(?P<quoted>(?:[^"\\]|\\.)*+)"|(?P<mark>[][(){};|=])|(?P<word>[^]["(){};|=,%\s]++)',
    re.DOTALL,
)


def to_net(network: Factorization) -> str:
    """Return a network as the text of a .net file: comments, variables in order, then their CPTs."""
    names, states = labels_of(network)
    lines = [*head_comments(network, names, states, "%"), "net {", "}"]
    for v, (name, own) in enumerate(zip(names, states, strict=True)):
        role = [f'    {_KEY} = "{_CLASS}";'] if v == network.class_index else []
        quoted = " ".join(f'"{state}"' for state in own)
        lines += [f"node {name} {{", f"    states = ({quoted});", *role, "}"]
    for name, parents, cpt in zip(names, network.parent_indices, network.cpts, strict=True):
        above = "".join(f" {names[parent]}" for parent in parents)
        lines += [f"potential ({name} |{above}) {{", f"    data = {_nested(cpt.tolist())};", "}"]
    return "\n".join([*lines, ""])


def _nested(values: Any) -> str:
    return f"({' '.join(map(_nested, values))})" if isinstance(values, list) else repr(values)


def net_arguments(text_or_path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the arguments of `Network` that the text of a .net file describes."""
    text = text_of(text_or_path)
    families, tokens = Families(), Tokens(text, _TOKEN)
    potentials: list[_Potential] = []  # which may come before their variables
    while not tokens.is_over:
        if tokens.skip("net"):
            tokens.take("{")
            while not tokens.skip("}"):
                _skip_attribute(tokens)
        elif tokens.skip("potential"):
            potentials.append(_potential(tokens))
        else:
            tokens.skip("discrete")
            if not tokens.skip("node"):
                raise tokens.fault("net, node or potential, as only networks of discrete variables are read")
            _declare(tokens, families)
    for one in potentials:
        families.fill(families.define(one.name, one.parents, one.place), one.numbers, one.place)
    return families.arguments(exact_values(text, "%"))


@dataclass(frozen=True)
class _Potential:
    name: str
    parents: list[str]
    numbers: list[float]  # the states of the variable are the fastest, those of its first parent the slowest
    place: str


def _skip_attribute(tokens: Tokens) -> None:
    tokens.name("an attribute or }")
    tokens.take("=")
    tokens.until(";")


def _declare(tokens: Tokens, families: Families) -> None:
    place, name = tokens.place(), tokens.name("the variable's name")
    states: list[str] = []
    is_class = False
    tokens.take("{")
    while not tokens.skip("}"):
        if not states and tokens.skip("states"):
            tokens.take("=")
            tokens.take("(")
            # in quotes a backslash stands before quotation marks and backslashes
            states = [re.sub(r'\\(["\\])', r"\1", state) for state in tokens.names(")", "a state")]
            tokens.take(";")
        else:
            start = tokens.at
            _skip_attribute(tokens)
            is_class |= tokens.words[start : tokens.at - 1] == [_KEY, "=", _CLASS]
    families.declare(name, states, place, is_class)


def _potential(tokens: Tokens) -> _Potential:
    tokens.take("(")
    place, name = tokens.place(), tokens.name("the variable's name")
    parents: list[str] = []
    if tokens.skip("|"):
        parents = tokens.names(")", "a parent")
    else:
        tokens.take(")")
    numbers: list[float] = []
    tokens.take("{")
    while not tokens.skip("}"):
        if not numbers and tokens.skip("data"):
            tokens.take("=")
            numbers = tokens.numbers(";", "()")
        else:
            _skip_attribute(tokens)
    return _Potential(name, parents, numbers, place)
