"""Labels that all programs read, with the exact names and states in comments.

A label has letters, digits and underscores: `(-inf, 2.45]` is `le_2_45`, `petal width (cm)` is
`petal_width_cm`, and the number 3 is `s3`. Words that are valid labels are kept. If a name or a state differs
from its label, comments at the beginning of the text contain it, as JSON.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from generators.base.factorization import Factorization
from generators.base.validation import shown
from generators.base.variables import Variables
from generators.files.documents import exact_state, interval_document

__all__ = ["exact_comments", "exact_values", "head_comments", "labels", "labels_of", "restored"]

EXACT = "Exact names and states, by label, as JSON:"
LONGEST = 60

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_END = r"[-+−]?\s*(?:[0-9.]+(?:[eE][-+]?[0-9]+)?|inf|∞)"
_INTERVAL = re.compile(rf"\s*([\[(])\s*({_END})\s*[,;]\s*({_END})\s*([\])])\s*")
_KEYWORD = re.compile(r"(?:network|variable|probability|type|discrete|table|default)", re.IGNORECASE)
# anywhere in a word, pgmpy's reader takes these for the head of a row of numbers, and of a property
_ROW = re.compile(r"(table|default)(?=[0-9e])", re.IGNORECASE)
_PROPERTY = re.compile(r"(prop)erty", re.IGNORECASE)
_SPOKEN = {"<=": "le", ">=": "ge", "≤": "le", "≥": "ge", "<": "lt", ">": "gt", "%": "percent", "+": "plus",
           "&": "and"}  # fmt: skip
_SIGN = re.compile("|".join(map(re.escape, _SPOKEN)))
_MINUS = re.compile(r"^\s*[-−]\s*$|(?<![A-Za-z0-9_)])[-−](?=[0-9.]|inf)|(?<=[0-9][eE])-(?=[0-9])")
_GREEK = re.compile(r"GREEK \w+ LETTER (?:FINAL )?(\w+)")


def labels_of(variables: Variables) -> tuple[list[str], list[list[str]]]:
    """Return a label for each variable, and for each of its states."""
    return labels(variables.names, "v"), [labels(states, "s") for states in variables.states]


def labels(values: Sequence[Hashable], letter: str) -> list[str]:
    """Return labels that are distinct without regard to case. The letter precedes a leading digit."""
    made = [_label(_text(value), letter) for value in values]
    kept = [type(value) is str and value == label for value, label in zip(values, made, strict=True)]
    taken: dict[str, int] = {}
    for place in sorted(range(len(made)), key=lambda place: not kept[place]):
        label, number = made[place], 2
        while label.lower() in taken:
            label, number = f"{made[place]}_{number}", number + 1
        taken[label.lower()] = place
        made[place] = label
    return made


def head_comments(
    network: Factorization, names: Sequence[str], states: Sequence[Sequence[str]], mark: str
) -> list[str]:
    """Return the first lines of a file, each a comment by its mark: what it is, and what its labels mean."""
    size = f"{_count(len(names), 'variable')}, {_count(sum(map(len, network.parent_indices)), 'arc')}"
    return [f"{mark} A Bayesian network: {size}.", *exact_comments(network, names, states, mark)]


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def exact_comments(
    variables: Variables, names: Sequence[str], states: Sequence[Sequence[str]], mark: str
) -> list[str]:
    """Return lines with the names and states that differ from their labels."""
    lines = []
    for v, label in enumerate(names):
        exact: dict[str, Any] = {} if variables.names[v] == label else {"name": variables.names[v]}
        both = zip(states[v], variables.states[v], strict=True)
        differing = {
            word: interval_document(state) or state
            for word, state in both
            if type(state) is not str or state != word
        }
        if differing:
            exact["states"] = differing
        if exact:
            lines.append(f"{mark} {label} = {_json(exact)}")
    return [f"{mark} {EXACT}", *lines] if lines else []


def exact_values(text: str, mark: str) -> dict[str, dict[str, Any]]:
    """Return the comments' exact values for each label, or nothing if the text was not written here."""
    found: dict[str, dict[str, Any]] = {}
    ours = False
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.startswith(mark):
            break
        if ours:
            label, _, document = line.removeprefix(mark).partition("=")
            found[label.strip()] = _checked(document, number)
        ours = ours or line.rstrip() == f"{mark} {EXACT}"
    return found


def restored(
    exact: Mapping[str, dict[str, Any]], names: Sequence[str], states: Sequence[Sequence[str]]
) -> tuple[list[str], list[list[Any]]]:
    """Return the exact names and states of labels that were read."""
    for label, own in exact.items():
        known = dict(zip(names, states, strict=True)).get(label)
        if known is None or not set(own.get("states", ())) <= set(known):
            what = "a variable" if known is None else f"a state of {shown(label)}"
            odd = label if known is None else next(word for word in own["states"] if word not in known)
            raise ValueError(
                f"the comments name {shown(odd)}, which is not {what}: correct or remove the comments"
            )
    exact_names = [exact.get(label, {}).get("name", label) for label in names]
    exact_states = [
        [exact_state(exact.get(label, {}).get("states", {}).get(word, word)) for word in words]
        for label, words in zip(names, states, strict=True)
    ]
    return exact_names, exact_states


def _text(value: Hashable) -> str:
    if interval_document(value) is not None:
        return str(value)
    # exact types: a subclass of str or int would come back as its base
    if type(value) not in (str, bool, int, float):
        raise ValueError(
            f"the state {value!r} is not a str, bool, int, float or an Interval of pandas: convert it, "
            "because files of networks cannot represent other types"
        )
    return value if isinstance(value, str) else repr(value)


def _label(text: str, letter: str) -> str:
    word = text if _WORD.fullmatch(text) else _word(text, letter)
    word = _ROW.sub(r"\1_", _PROPERTY.sub(r"\1", word))
    return f"{word}_" if _KEYWORD.fullmatch(word) else word


def _word(text: str, letter: str) -> str:
    interval = _INTERVAL.fullmatch(text)
    spoken = _spoken_interval(*interval.groups()) if interval else text
    spoken = _SIGN.sub(lambda found: f" {_SPOKEN[found[0]]} ", _MINUS.sub(" minus ", spoken))
    word = re.sub("[^A-Za-z0-9]+", "_", "".join(map(_latin, spoken)))[:LONGEST].strip("_")
    if not word:
        return "symbol" if text.strip() else "empty"
    return f"{letter}{word}" if word[0].isdigit() else word


def _spoken_interval(opening: str, low: str, high: str, closing: str) -> str:
    lower = "" if low.endswith(("inf", "∞")) else f"{'gt' if opening == '(' else 'ge'} {low}"
    upper = "" if high.endswith(("inf", "∞")) else f"{'lt' if closing == ')' else 'le'} {high}"
    return f"{lower} {upper}".strip() or "all"


def _latin(character: str) -> str:
    """Return a character without accents, the name of a Greek letter, the number of another, or a blank."""
    if character.isascii():
        return character
    plain = "".join(part for part in unicodedata.normalize("NFKD", character) if part.isascii())
    if plain.strip():
        return plain
    if character == "ß":
        return "ss"
    greek = _GREEK.match(unicodedata.name(character, ""))
    if greek:
        return greek[1].lower()
    return f"u{ord(character):x}" if character.isalnum() else " "


def _json(value: Any) -> str:
    """Write JSON on one line that no program takes for the end of a comment."""
    text = json.dumps(value, ensure_ascii=False).replace("*/", "*\\/").replace("/*", "\\/*")
    pieces = [one if one.isprintable() else json.dumps(one)[1:-1] for one in text]
    return "".join(pieces)


def _checked(document: str, line: int) -> dict[str, Any]:
    try:
        own = json.loads(document)
        name, states = own.get("name", ""), own.get("states", {})
        kinds = {type(exact_state(state)) for state in states.values()}
        kinds -= {type(exact_state(state)) for state in states.values() if isinstance(state, dict)}
        if type(name) is str and kinds <= {str, bool, int, float}:
            return dict(own)
    except (ValueError, AttributeError, TypeError, RecursionError):
        pass
    raise ValueError(
        f"line {line}: the comment {shown(document.strip())} does not have the form that write_network "
        f"uses: correct it, or remove the line {EXACT!r}"
    )
