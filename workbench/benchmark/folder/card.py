"""A card for each model, which describes its truth for people and programs."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from generators.facts import Estimate, Facts, facts_of
from generators.networks.network import Network
from generators.targeted import Drawn
from workbench.base.text import printable
from workbench.benchmark.columns import Column

__all__ = ["alterations_of", "base_of", "card_of", "markdown_of", "escaped", "text_of", "alterations_text"]

MARKUP = re.compile(r"[\\\\`*\[\]<>&|#~$!]|_(?=\W|$)|(?<!\w)_")


def card_of(name: str, drawn: Drawn, columns: Sequence[Column]) -> dict[str, Any]:
    """Describe a truth."""
    truth, target = drawn.truth, columns[-1]
    facts: Facts = facts_of(truth)
    marginal = truth.class_marginal().tolist()
    pair = list(facts.strongest_pair) if facts.strongest_pair else None
    return {
        "name": name,
        "kind": base_of(truth).kind,
        "alterations": alterations_of(truth),
        "structure": facts.structure,
        "tries": drawn.tries,
        "asked_for": {what: float(value) for what, value in drawn.found.items()},
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
    of_class, dependence = card["class"], card["dependence"]
    shares = ", ".join(
        f"{escaped(s)} {p:.4f}" for s, p in zip(of_class["states"], of_class["marginal"], strict=True)
    )
    between = " and ".join(map(escaped, dependence["strongest_pair"] or []))
    facts = [
        ("kind", card["kind"]),
        ("alterations", alterations_text(card["alterations"])),
        ("structure", escaped(card["structure"])),
        ("class", f"{escaped(of_class['name'])}: {shares}"),
        ("class entropy, bits", f"{card['class_entropy']:.4f}"),
        ("error of the class prior", f"{card['prior_error']:.4f}"),
        ("Bayes error", _estimate_text(card["bayes_error"])),
        ("ceiling of IR_B, bits", _estimate_text(card["ceiling_ir_b"])),
        ("information of all attributes about the class, bits", _estimate_text(card["information"])),
        ("dependence of two attributes given the class, mean, bits", f"{dependence['mean']:.4f}"),
        ("the strongest", f"{dependence['most']:.4f}: {between}" if between else "none"),
        ("truths drawn to find it", str(card["tries"])),
    ]
    attributes = [
        (escaped(one["name"]), str(one["arity"] or "number"), _estimate_text(one["information"]))
        for one in card["attributes"]
    ]
    lines = [f"# {card['name']}", "", *_table(("what", "value"), facts), ""]
    lines += _table(("attribute", "states", "information about the class, bits"), attributes)
    if card["arcs"] is not None:
        arcs = [
            (escaped(child), ", ".join(map(escaped, above)) or "none")
            for child, above in card["arcs"].items()
        ]
        lines += ["", *_table(("variable", "parents"), arcs)]
    return "\n".join(lines) + "\n"


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
    """Write kinds of alterations for people."""
    return ", ".join(kind.replace("_", " ") for kind in kinds) or "none"


def _arcs(truth: Any) -> dict[str, list[str]] | None:
    """Return the parents of each variable of a network; None for other kinds, whose JSON describes them."""
    if not isinstance(truth, Network):
        return None
    names = truth.names
    return {name: [names[v] for v in above] for name, above in zip(names, truth.parents, strict=True)}


def _estimate(estimate: Estimate) -> dict[str, Any]:
    return {**asdict(estimate), "exact": estimate.exact}


def _estimate_text(estimate: dict[str, Any]) -> str:
    return str(Estimate(estimate["value"], estimate["standard_error"], estimate["n_rows"]))


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(cells)} |" for cells in (head, ("---",) * len(head), *rows)]


def escaped(word: Any) -> str:
    """Escape a foreign word for Markdown."""
    return MARKUP.sub(lambda found: f"&#{ord(found[0])};", printable(" ".join(str(word).split())))
