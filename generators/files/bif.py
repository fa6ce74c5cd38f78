"""Networks to and from BIF, the interchange format, through pgmpy's writer and reader.

Names and states are written as labels that every program reads; comments keep the exact ones, from which
`bif_arguments` restores every name, state and type (see `generators.files.bif_labels`). The class has the
property `role = class`. Numbers are written with the digits that give the same float64 when read.
"""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators.base.factorization import Factorization
from generators.base.validation import ROW_SUM_TOLERANCE, shown
from generators.files.bif_blocks import NEW_LINE, Block, first_fault, take_out_defaults
from generators.files.bif_labels import exact_comments, exact_values, labels_of, restored
from generators.files.interop import quiet_imports, to_pgmpy

__all__ = ["bif_arguments", "to_bif"]

NETWORK_NAME = "bayesian_network"
CLASS_ROLE = "role = class"
MOST_FILLED = 2**22  # numbers that all `default` entries of a text may fill
ROUNDED_ROW_TOLERANCE = 1e-3  # other programs print a few digits: such rows are divided by their sum

# possessive, and with an end for what is not closed: so time grows with the text and not with its square
_COMMENT = re.compile(r'("[^"]*")|/\*(?:.*?\*/|.*)|//[^\n]*', re.DOTALL)
_HEAD = re.compile(r'^\s*+network\s++("[^"\n]*+"|[^\s{]*+)\s*+\{[^}]*+\}', re.IGNORECASE)
_BLOCK = re.compile(r"^(?=variable |probability )", re.MULTILINE)
_DECLARED = re.compile(
    r"^[ \t]*+variable\s++([^{\n]++)\s*+\{\s*+type\s++\w++\s*+\[\s*+(\d{1,9})\s*+\](?:\s*+\{([^}]*+)\})?",
    re.MULTILINE,
)
_GIVEN = re.compile(r"^[ \t]*+probability\s*+\(\s*+([^|,)]++)", re.MULTILINE)
_READ = re.compile(r"(?:variable|probability).*?\}\n", re.DOTALL)  # what pgmpy's reader considers a block
_FAMILY = re.compile(r"probability\s*+\(([^()|\n]*+)(?:\|([^()|\n]*+))?\)")
_NESTED = re.compile(r"\([^()]*+\(")
_CLOSED = (("variable", "}"), ("probability", "}"), ("property", ";"))


def to_bif(network: Factorization) -> str:
    """Return a network as BIF text: comments, variables in order, then their CPTs."""
    with quiet_imports():
        from pgmpy.readwrite import BIFWriter

    names, states = labels_of(network)
    model = to_pgmpy(replace(network, names=tuple(names), states=tuple(map(tuple, states))))
    model.name = NETWORK_NAME
    if network.class_index is not None:
        key, value = CLASS_ROLE.split(" = ")
        model.nodes[names[network.class_index]][key] = value
    # the writer sorts the variables; each block goes back to its place
    head, *blocks = _BLOCK.split(str(BIFWriter(model)).replace(";\n\n}", ";\n}").rstrip("\n") + "\n")
    by_start = {tuple(block.split(maxsplit=3)[:3]): block for block in blocks}
    variables = [by_start["variable", name, "{"] for name in names]
    n_arcs = sum(map(len, network.parents))
    comments = [
        f"// A Bayesian network: {_count(len(names), 'variable')}, {_count(n_arcs, 'arc')}.",
        *exact_comments(network, names, states),
    ]
    start = "\n".join([*comments, head])
    return "".join([start, *variables, *(by_start["probability", "(", name] for name in names)])


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def bif_arguments(text_or_path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the arguments of `Network` that BIF describes."""
    text = _text(text_or_path)
    exact = exact_values(text)
    text = _COMMENT.sub(lambda match: match[1] or " " + NEW_LINE * match[0].count("\n"), text)
    head = _HEAD.match(text)
    # without the head, whose words it may mistake for blocks, and with the line breaks that it needs
    start = head.end() if head else 0
    body, line = (
        text[start:].replace('"', " "),
        1 + sum(text.count(end, 0, start) for end in ("\n", NEW_LINE)),
    )
    text, defaults = take_out_defaults(body, line)
    for block in defaults.values():
        block.check(_states(text))
    text = re.sub(r"\}(?!\s*;)", "}\n", text.replace(NEW_LINE, " "))
    reader = _reader(text, defaults, lambda: first_fault(body, line, _states(text)))
    _check_parts(reader, text)
    names = list(reader.variable_names)
    states = [reader.variable_states[name] for name in names]
    parents = [[names.index(parent) for parent in reader.variable_parents[name]] for name in names]
    cpts = []
    for name, above in zip(names, parents, strict=True):
        table, states_above = reader.variable_cpds[name], [states[parent] for parent in above]
        if name.lower() in defaults:
            table = defaults[name.lower()].fill(table, states_above)
        cpts.append(_cpt(name, table, tuple(map(len, states_above))))
    class_index = _class_of(names, reader.variable_properties)
    names, states = restored(exact, names, states)
    return {"names": names, "states": states, "parents": parents, "cpts": cpts, "class_index": class_index}


def _text(text_or_path: str | os.PathLike[str]) -> str:
    if isinstance(text_or_path, str) and ("\n" in text_or_path or not text_or_path.strip()):
        return text_or_path
    try:
        return Path(text_or_path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"the file {os.fspath(text_or_path)!r} is not in UTF-8; convert it first") from None
    except OSError as error:
        hint = "give the path of a BIF file, or BIF text, which has line breaks"
        raise OSError(
            error.errno, f"{os.fspath(text_or_path)!r} cannot be read ({error.strerror}); {hint}"
        ) from None


def _states(text: str) -> dict[str, list[str]]:
    """Return the states of the variables as they are declared, by names in lower case."""
    return {
        name.strip().lower(): [word.strip() for word in words.split("," if "," in words else None)]
        for name, _, words in _DECLARED.findall(text)
    }


def _reader(text: str, defaults: dict[str, Block], fault: Callable[[], str]) -> Any:
    if not _DECLARED.search(text):
        raise ValueError("the text declares no variable; give BIF, or the path of a BIF file")
    for word, end in _CLOSED:
        # the reader would look for the end from each of these words on
        if text.rfind(word) > text.rfind(end):
            raise ValueError(f"the last {word!r} of the text is not closed; close it by {end!r}")
    _check_sizes(text, defaults)
    try:
        return _reader_class()(string=text, include_properties=True)
    # the reader checks nothing, so faults cause errors of any type
    except Exception as error:
        cause = f"{type(error).__name__}: {error}".splitlines()[0]
        what = f"the text is not BIF that pgmpy can read ({cause:.200}); correct it"
        raise ValueError(fault() or what) from None


@cache
def _reader_class() -> Any:
    """Return pgmpy's reader with its grammars built once: they take half a second, whatever the text."""
    with quiet_imports():
        from pgmpy.readwrite import BIFReader

    grammars = ("get_variable_grammar", "get_probability_grammar")
    made = {name: staticmethod(cache(partial(getattr(BIFReader, name), None))) for name in grammars}
    return type("_Reader", (BIFReader,), made)


def _check_sizes(text: str, defaults: dict[str, Block]) -> None:
    """Refuse tables with more entries than the text has characters, before the reader allocates them."""
    # tables filled by a `default` have their own common limit
    most_filled = MOST_FILLED
    arities: dict[str, int] = {}
    for name, declared, states in _DECLARED.findall(text):
        key = name.replace('"', " ").strip().lower()
        n_states = 1 + max(states.count(","), len(states.split()) - 1)
        arities[key] = max(arities.get(key, 0), int(declared), n_states)
    for block in _READ.findall(text.replace('"', " ")):
        if not block.startswith("probability"):
            continue
        family = _FAMILY.match(block)
        if family is None or _NESTED.search(block):
            raise ValueError(
                f"the block {shown(block)} is not one that pgmpy can read; begin it with "
                "probability ( NAME ) or probability ( NAME | PARENT, ... )"
            )
        words = family[1].split() if family[2] is None else [family[1].strip(), *family[2].split(",")]
        if words and words[0].strip().lower() in defaults:
            most_filled -= _check_size(words, arities, most_filled)
        else:
            _check_size(words, arities, len(text))


def _check_size(words: Sequence[str], arities: dict[str, int], most: int) -> int:
    size = 1
    for word in words:
        size *= arities.get(word.strip().lower(), 1)
        if size > most:
            raise ValueError(
                f"the table of {shown(words[0])} would have more entries than the text has characters, or "
                f"than {MOST_FILLED:,} by default; give every row of it, or fewer parents"
            )
    return size


def _check_parts(reader: Any, text: str) -> None:
    """Compare what the reader found with the heads of the blocks, since it skips what it cannot read."""
    declared = _DECLARED.findall(text)
    given = Counter(name.strip(' "\t') for name in _GIVEN.findall(text))
    if len(declared) != len(reader.variable_names):
        raise ValueError(
            f"pgmpy can read {len(reader.variable_names)} of {len(declared)} variables; "
            "close each block by a brace"
        )
    for name, (_, arity, _) in zip(reader.variable_names, declared, strict=True):
        states = reader.variable_states[name]
        if len(states) != int(arity):
            raise ValueError(
                f"{shown(name)} is declared with {arity} states and lists {shown(states)}; make them agree"
            )
        for parent in reader.variable_parents.get(name, ()):
            if parent not in reader.variable_states:
                raise ValueError(
                    f"{shown(name)} has the parent {shown(parent)}, which is not a variable; give each a "
                    "variable block"
                )
        if name not in reader.variable_cpds:
            raise ValueError(
                f"{shown(name)} has no probability block that pgmpy can read; give one to every variable"
            )
        if given[name] > 1:
            raise ValueError(f"{shown(name)} has {given[name]} probability blocks; give it one")


def _cpt(name: str, table: NDArray[np.float64], shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Return a table of shape (arity, rows) with one axis per parent, of their shape, and the child last."""
    rows = np.ascontiguousarray(np.asarray(table, dtype=np.float64).T)
    if len(rows) != math.prod(shape):
        raise ValueError(
            f"the table of {shown(name)} has {len(rows)} rows; give {math.prod(shape)}, one for each "
            "combination of its parents' states"
        )
    sums = rows.sum(axis=1, keepdims=True)
    rounded = (np.abs(sums - 1) > ROW_SUM_TOLERANCE) & (np.abs(sums - 1) <= ROUNDED_ROW_TOLERANCE)
    return np.where(rounded, rows / np.where(rounded, sums, 1.0), rows).reshape(*shape, rows.shape[1])


def _class_of(names: Sequence[str], properties: dict[str, list[str]]) -> int | None:
    """Return the index of the first variable with the role of the class."""
    roles = [[" ".join(line.split()) for line in properties[name]] for name in names]
    return next((place for place, own in enumerate(roles) if CLASS_ROLE in own), None)
