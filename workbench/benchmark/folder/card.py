"""A card for each model, which describes its truth for users and programs."""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from typing import Any

import pandas as pd

from generators.facts import N_ROWS, NONE, Estimate, Facts, describe
from generators.networks.network import Network
from generators.networks.notebook import block, on_demand, table_html, title_lines
from generators.targeted import Drawn
from workbench.base.text import printable
from workbench.benchmark.columns import FileColumn

__all__ = [
    "alterations_text",
    "base_of",
    "card_of",
    "escaped",
    "estimate_text",
    "html_of",
    "markdown_of",
    "text_of",
]

TARGETS_IN_WORDS = {
    "bayes_error": "Bayes error",
    "ceiling": "ceiling of IR_B, bits",
    "class_entropy": "class entropy, bits",
}

FEWEST_ROWS = 20_000

ATTRIBUTE_HEADS = ("attribute", "states", "information about the class, bits")

MARKUP = re.compile(r"[\\\\`*\[\]<&|#~$!]|_(?=\W|$)|(?<!\w)_")


def card_of(
    name: str,
    drawn: Drawn,
    columns: Sequence[FileColumn],
    unaltered: Sequence[str] | None,
    n_rows: int,
    tell: Callable[[], object],
) -> dict[str, Any]:
    """Describe a truth. If it is altered, `unaltered` names the files of the original."""
    # as many rows as `draw_with` judges a truth by, or as many as the model has
    truth, target = drawn.truth, columns[-1]
    facts: Facts = describe(truth, n_rows=min(max(n_rows, FEWEST_ROWS), N_ROWS), callback=tell)
    marginal = truth.class_marginal().tolist()
    pair = list(facts.strongest_pair) if facts.strongest_pair else None
    return {
        "name": name,
        "kind": base_of(truth).kind,
        "alterations": alterations_of(truth),
        "unaltered": list(unaltered) if unaltered else None,
        "structure": facts.structure,
        "tries": drawn.tries,
        **({"solved": drawn.solved} if drawn.solved else {}),
        **({"refused": list(drawn.refused)} if drawn.refused else {}),
        "asked_for": {what: list(pair) for what, pair in drawn.bounds.items()},
        "found": {what: float(value) for what, value in drawn.found.items()},
        "class": {"name": target.name, "states": list(target.states or ()), "marginal": marginal},
        "attributes": [
            {
                "name": column.name,
                "arity": len(column.labels) or None,
                "information": _estimate(facts.attribute_information[column.name]),
            }
            for column in columns[:-1]
        ],
        "arcs": _arcs(truth),
        "class_entropy": facts.class_entropy,
        "prior_error": 1 - max(marginal),
        "bayes_error": _estimate(facts.bayes_error),
        "ceiling_ir_b": _estimate(facts.ceiling),
        "information": _estimate(facts.information),
        "dependence": {"mean": facts.dependence, "most": facts.strongest_dependence, "strongest_pair": pair},
    }


def text_of(card: dict[str, Any]) -> str:
    """Write a card as JSON."""
    return json.dumps(card, indent=1, allow_nan=False) + "\n"


def markdown_of(card: dict[str, Any]) -> str:
    """Write a card as Markdown."""
    facts = _facts(card, escaped)
    attributes = [tuple(map(escaped, row)) for row in _attributes(card)]
    lines = [f"# {card['name']}", "", *_table(("what", "value"), facts), ""]
    if card["unaltered"]:
        files = " and ".join(f"`{file}`" for file in card["unaltered"])
        lines += [
            f"The rows come from the altered truth, `truth.json`, which this card describes. {files} "
            f"{'has' if len(card['unaltered']) == 1 else 'have'} the {card['kind'].replace('_', ' ')} before "
            f"its alterations ({alterations_text(card['alterations'])}), not the distribution of the rows.",
            "",
        ]
    lines += _table(ATTRIBUTE_HEADS, attributes)
    if card["arcs"] is not None:
        arcs = [
            (escaped(child), ", ".join(map(escaped, above)) or "none")
            for child, above in card["arcs"].items()
        ]
        lines += ["", *_table(("variable", "parents"), arcs)]
    return "\n".join(lines) + "\n"


def html_of(card: dict[str, Any]) -> str:
    """Write a card as HTML for a notebook."""
    facts = pd.DataFrame(_facts(card, str), columns=["what", "value"])
    attributes = pd.DataFrame(_attributes(card), columns=ATTRIBUTE_HEADS)
    title = title_lines(f"{card['name']}: a model of a benchmark")
    return block(
        [title, table_html(facts, words=True), on_demand("Attributes", table_html(attributes, words=True))]
    )


def _facts(card: dict[str, Any], word: Callable[[Any], str]) -> list[tuple[str, str]]:
    """Return the facts of a card. `word` prepares words that come from the truth."""
    of_class, dependence = card["class"], card["dependence"]
    shares = ", ".join(
        f"{word(s)} {p:.4f}" if p >= 1e-4 else f"{word(s)} {p:.1g}"
        for s, p in zip(of_class["states"], of_class["marginal"], strict=True)
    )
    most = f"{dependence['most']:.4f}"
    between = " and ".join(map(word, dependence["strongest_pair"] or []))
    return [
        ("kind", card["kind"]),
        ("alterations", alterations_text(card["alterations"])),
        ("structure", word(card["structure"])),
        ("class", f"{word(of_class['name'])}: {shares}"),
        ("class entropy, bits", f"{card['class_entropy']:.4f}"),
        ("error of the class prior", f"{card['prior_error']:.4f}"),
        ("Bayes error", estimate_text(card["bayes_error"])),
        ("ceiling of IR_B, bits", estimate_text(card["ceiling_ir_b"])),
        ("information of all attributes about the class, bits", estimate_text(card["information"])),
        ("dependence of two attributes given the class, mean, bits", f"{dependence['mean']:.4f}"),
        ("the strongest", "none" if not between or most == NONE else f"{most}: {between}"),
        *(
            (f"{TARGETS_IN_WORDS[what]}, asked for", f"{low:g} to {high:g} (found {card['found'][what]:.4f})")
            for what, (low, high) in card["asked_for"].items()
        ),
        ("truths drawn to find it", str(card["tries"])),
        *((f"{name}, solved for", f"{value:.4g}") for name, value in card.get("solved", {}).items()),
        *((("sizes rejected before this one", str(len(card["refused"]))),) if "refused" in card else ()),
    ]


def _attributes(card: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [
        (one["name"], str(one["arity"] or "number"), estimate_text(one["information"]))
        for one in card["attributes"]
    ]


def base_of(truth: Any) -> Any:
    """Return the truth before its alterations."""
    while hasattr(truth, "truth"):
        truth = truth.truth
    return truth


def alterations_of(truth: Any) -> list[str]:
    """Return the kinds of the alterations of a truth, the first one first."""
    found: list[str] = []
    while hasattr(truth, "truth"):
        found.insert(0, truth.kind)
        truth = truth.truth
    return found


def alterations_text(kinds: Sequence[str]) -> str:
    """Write kinds of alterations for users."""
    return ", ".join(kind.replace("_", " ") for kind in kinds) or "none"


def _arcs(truth: Any) -> dict[str, list[str]] | None:
    """Return the parents of each variable of a network, or None for other kinds, described by their JSON."""
    if not isinstance(truth, Network):
        return None
    return {name: list(above) for name, above in truth.parents.items()}


def _estimate(estimate: Estimate) -> dict[str, Any]:
    return {**asdict(estimate), "exact": estimate.exact}


def estimate_text(estimate: dict[str, Any]) -> str:
    """Write a number with its standard error, if it has one."""
    return str(Estimate(estimate["value"], estimate["standard_error"], estimate["n_rows"]))


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(cells)} |" for cells in (head, ("---",) * len(head), *rows)]


def escaped(word: Any) -> str:
    """Escape a foreign word for Markdown."""
    return MARKUP.sub(lambda found: f"&#{ord(found[0])};", printable(" ".join(str(word).split())))
