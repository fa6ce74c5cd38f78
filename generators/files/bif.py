"""Networks to and from BIF, the Interchange Format of JavaBayes, by its grammar.

Names and states are written as labels that all programs read. Comments contain the exact names and states,
from which `bif_arguments` restores them with their types (see `generators.files.labels`). The class has the
property `role = class`. Numbers are written with as many digits as needed to restore the same float64.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators.base.factorization import Factorization
from generators.base.validation import shown
from generators.files.families import CLASS_ROLE, NETWORK_NAME, Families
from generators.files.labels import exact_values, head_comments, labels_of
from generators.files.tokens import END, Tokens, text_of

__all__ = ["bif_arguments", "to_bif"]

MOST_FILLED = 2**22  # numbers that all `default` entries of a text may fill

# possessive, so that time grows with the text and not with its square
_TOKEN = re.compile(
    r'[\s,]++|//[^\n]*+|/\*(?:.*?\*/|.*+)|"(?P<quoted>[^"]*+)"|(?P<mark>[][(){};|])'
    r'|(?P<word>(?:[^]["(){};|,\s/]|/(?![/*]))++)',
    re.DOTALL,
)
_UNQUOTED = re.compile(r"(?:[^][(){},;]|[(\[][^][(){};]*+[)\]]|[][()])++")  # a state with brackets or blanks


def to_bif(network: Factorization) -> str:
    """Return a network as BIF text: comments, variables in order, then their CPTs."""
    names, states = labels_of(network)
    lines = [*head_comments(network, names, states, "//"), f"network {NETWORK_NAME} {{", "}"]
    for v, (name, own) in enumerate(zip(names, states, strict=True)):
        role = [f"    property {CLASS_ROLE} ;"] if v == network.class_index else []
        declared = f"    type discrete [ {len(own)} ] {{ {', '.join(own)} }};"
        lines += [f"variable {name} {{", declared, *role, "}"]
    for name, parents, cpt in zip(names, network.parent_indices, network.cpts, strict=True):
        rows = [", ".join(map(repr, row)) for row in cpt.reshape(-1, cpt.shape[-1]).tolist()]
        if parents:
            given = product(*(states[parent] for parent in parents))
            rows = [f"    ( {', '.join(at)} ) {row};" for at, row in zip(given, rows, strict=True)]
        else:
            rows = [f"    table {row} ;" for row in rows]
        above = f" | {', '.join(names[parent] for parent in parents)}" if parents else ""
        lines += [f"probability ( {name}{above} ) {{", *rows, "}"]
    return "\n".join([*lines, ""])


def bif_arguments(text_or_path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the arguments of `Network` that BIF describes."""
    text = text_of(text_or_path)
    families, tokens = Families(), Tokens(text, _TOKEN)
    # tables may come before the variables that they are about
    blocks = list(_blocks(tokens, families))
    left = MOST_FILLED
    for block in blocks:
        place = tokens.place(block.at)
        block.name = families.define(block.name, block.parents, place)
        size = math.prod(families.shape(block.name))
        # every number stands in the text, but for those that a default fills
        if size > (left if "default" in block.rows else len(text)):
            raise ValueError(
                f"{place}: the table of {shown(block.name)} has too many entries (more than the text has "
                f"characters, or {MOST_FILLED:,} with a default): give all its rows, or fewer parents"
            )
        left -= size if "default" in block.rows else 0
        families.fill(block.name, block.table(families, tokens), place)
    return families.arguments(exact_values(text, "//"))


@dataclass
class _Block:
    """A probability block: numbers by "table", "default" or states of the parents, and where they stand."""

    name: str
    parents: list[str]
    at: int
    rows: dict[str | tuple[str, ...], tuple[int, list[float]]] = field(default_factory=dict)

    def table(self, families: Families, tokens: Tokens) -> NDArray[np.float64]:
        """Return the table: one axis per parent, the variable last."""
        shape = families.shape(self.name)
        if "table" in self.rows:
            # here the states of the variable are the slowest, and those of its last parent the fastest
            numbers = self._numbers("table", math.prod(shape), tokens)
            return np.moveaxis(np.array(numbers).reshape(shape[-1], *shape[:-1]), 0, -1)
        default = self._numbers("default", shape[-1], tokens) if "default" in self.rows else [0.0]
        table = np.broadcast_to(default, shape).copy()
        places = [
            {state: place for place, state in enumerate(families.states[parent])}
            for parent in families.parents[self.name]
        ]
        for given in self.rows:
            if given == "default":
                continue
            if len(given) != len(places) or not all(map(dict.__contains__, places, given)):
                owners = shown(", ".join(self.parents))
                what = f"has a row for {shown(', '.join(given))}: expected a state of each parent, {owners}"
                raise self._fault(given, what, tokens)
            row = tuple(map(dict.__getitem__, places, given))
            table[row] = self._numbers(given, shape[-1], tokens)
        return table

    def _numbers(self, key: str | tuple[str, ...], n: int, tokens: Tokens) -> list[float]:
        numbers = self.rows[key][1]
        if len(numbers) != n:
            each = "state and combination of the parents' states" if key == "table" else "state"
            what = f"has a row of length {len(numbers)}: expected {n} numbers, one for each {each}"
            raise self._fault(key, what, tokens)
        return numbers

    def _fault(self, key: str | tuple[str, ...], what: str, tokens: Tokens) -> ValueError:
        return ValueError(f"{tokens.place(self.rows[key][0])}: the block of {shown(self.name)} {what}")


def _blocks(tokens: Tokens, families: Families, end: str = END) -> Iterator[_Block]:
    """Read blocks up to a mark, declare the variables, and return the probabilities by block."""
    while not tokens.skip(end):
        if tokens.skip("variable"):
            _declare(tokens, families)
        elif tokens.skip("probability"):
            yield _probability(tokens)
        elif end == END and tokens.skip("network"):
            if not tokens.skip("{"):
                tokens.name("the network's name or {")
                tokens.take("{")
            # some writers have all blocks inside these braces
            yield from _blocks(tokens, families, "}")
        elif end == "}" and tokens.skip("property"):
            tokens.until(";")
        else:
            raise tokens.fault(f"variable, probability, {'network' if end == END else 'property or }'}")
        tokens.skip(";")


def _declare(tokens: Tokens, families: Families) -> None:
    place, name = tokens.place(), tokens.name("the variable's name")
    states: list[str] = []
    is_class = False
    tokens.take("{")
    while not tokens.skip("}"):
        if tokens.skip("property"):
            is_class |= " ".join(tokens.words[at] for at in tokens.until(";")).split() == CLASS_ROLE.split()
        elif not states and tokens.skip("type"):
            states = _states(tokens, name)
            tokens.skip(";")
        else:
            raise tokens.fault("property or }" if states else "type, property or }")
    families.declare(name, states, place, is_class)


def _states(tokens: Tokens, name: str) -> list[str]:
    """Read the type of a variable."""
    tokens.take("discrete")
    tokens.take("[")
    at, declared = tokens.at, tokens.name("the number of states")
    tokens.take("]")
    tokens.take("{")
    first = tokens.at
    states: list[str] = []
    while not tokens.skip("}"):
        if tokens.key in ("(", ")", "[", "]"):
            raise _unholdable(tokens, name, first, tokens.key, tokens.at)
        if not tokens.skip("|"):
            states.append(tokens.name("a state or }"))
    if declared != str(len(states)):
        written = tokens.text[tokens.start(first) : tokens.start(tokens.at - 1)].split(",")
        if declared == str(len(written)) and any(len(one.split()) > 1 for one in written):
            raise _unholdable(tokens, name, first, " ", first)
        raise ValueError(
            f"{tokens.place(at)}: {shown(name)} is declared with {declared[:9]} states and "
            f"lists {shown(states)}: make them agree"
        )
    return states


def _unholdable(tokens: Tokens, name: str, first: int, character: str, at: int) -> ValueError:
    """Return the error for an unquoted state with a character that requires quotes."""
    written = (" ".join(one.split()) for one in _UNQUOTED.findall(tokens.text, tokens.start(first)))
    state = next((one for one in written if character in one), character)
    return ValueError(
        f"{tokens.place(at)}: the state {shown(state)} of {shown(name)} has the character {character!r}, "
        "which BIF allows only in quotes: quote the state, or rename it"
    )


def _probability(tokens: Tokens) -> _Block:
    tokens.take("(")
    at = tokens.at
    head = [tokens.name("the variable's name")]
    while tokens.key not in ("|", ")"):
        head.append(tokens.name("a parent, | or )"))
    if tokens.skip("|"):
        if len(head) > 1:
            raise tokens.fault("'|' after one name: a name with blanks must be in quotes", at + 1)
        head += tokens.names(")", "a parent")
    else:  # the first is the variable, and the others are its parents
        tokens.take(")")
    block = _Block(head[0], head[1:], at)
    tokens.take("{")
    while not tokens.skip("}"):
        _read_entry(tokens, block)
    if "table" in block.rows and len(block.rows) - ("default" in block.rows) > 1:
        raise ValueError(f"{tokens.place(at)}: {shown(block.name)} has a table and rows: give one of them")
    return block


def _read_entry(tokens: Tokens, block: _Block) -> None:
    at, key = tokens.at, tokens.key
    if tokens.skip("property"):
        tokens.until(";")
        return
    given: str | tuple[str, ...] = key
    if tokens.skip("("):
        given = tuple(tokens.names(")", "a state", also="|"))
    elif not (tokens.skip("table") or tokens.skip("default")):
        raise tokens.fault("table, default, states in parentheses, property or }")
    if given in block.rows:
        what = key if given == key else f"row for {shown(', '.join(given))}"
        raise ValueError(
            f"{tokens.place(at)}: the block of {shown(block.name)} has a second {what}: remove one of them"
        )
    block.rows[given] = at, tokens.numbers(";", "|")
