"""Make the manifest of the suite bias-v1: truths of every kind, size and difficulty, by their seeds.

`python experiments/tools/make_suite.py` writes generators/suites/bias-v1.json; `--check` draws the truths of
the manifest that is there and prints the checksum of them all, which is the same with every version of numpy.

Difficulty is the Bayes error over the error of the class prior. For each kind and size, truths are drawn one
after the other, with the parameters of `STRENGTHS` in turn, until every difficulty has one; a truth is passed
over if its cells cannot be enumerated, if the prior errs in less than 15 percent of cases, or if the last
bits of one of its numbers would decide its checksum.
"""

import hashlib
import itertools
import json
import sys
from collections.abc import Iterator
from typing import Any

from generators.base.checksum import checksum, is_steady
from generators.facts import Estimate, bayes_error, describe
from generators.suites.suite import FOLDER, draw, suite, versions

NAME = "bias-v1"
ABOUT = (
    "Truths of nine kinds, three sizes and three difficulties, to see which learners' assumptions help "
    "where. Easy: the best forecast leaves at most a third of the error of the class prior; medium: at most "
    "two thirds; hard: at most 95 percent."
)
SIZES = {
    4: {"arity": [2, 4], "n_classes": [2, 4]},
    7: {"arity": [2, 3], "n_classes": [2, 3]},
    10: {"arity": [2, 3], "n_classes": [2, 3]},
}
DIFFICULTIES = {"easy": (0.0, 1 / 3), "medium": (1 / 3, 2 / 3), "hard": (2 / 3, 0.95)}
LEAST_PRIOR_ERROR = 0.15
ROWS = 100_000
_TABLES = [{"concentration": value} for value in (0.3, 1.0, 3.0, 10.0)]
_LEAVES = [{"concentration": value} for value in (0.1, 0.5, 2.0, 5.0)]
STRENGTHS = {
    **dict.fromkeys(("naive_bayes", "tan", "aode", "kdb", "dag"), _TABLES),
    **dict.fromkeys(("decision_tree", "decision_graph", "rules"), _LEAVES),
    "gaussian_naive_bayes": [{"separation": value} for value in (0.2, 0.5, 1.0, 2.0)],
}


def main() -> None:
    """Write the manifest, or check it."""
    if sys.argv[1:] == ["--check"]:
        print(json.dumps({"versions": versions(), "checksum": _checksum_of_all()}))
        return
    truths = [entry for kind, size in itertools.product(STRENGTHS, SIZES) for entry in _entries(kind, size)]
    manifest = {"name": NAME, "about": ABOUT, "made_with": versions(), "truths": truths}
    path = FOLDER / f"{NAME}.json"
    FOLDER.mkdir(exist_ok=True)
    path.write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    print(f"{len(truths)} truths written to {path.name}")


def _checksum_of_all() -> str:
    entries = suite(NAME)
    return hashlib.sha256("".join(checksum(entry.draw()) for entry in entries).encode()).hexdigest()


def _entries(kind: str, size: int) -> list[dict[str, Any]]:
    """Find a truth of each difficulty."""
    found: dict[str, dict[str, Any]] = {}
    for number, strength in enumerate(itertools.cycle(STRENGTHS[kind])):
        parameters = {"n_attributes": size, **SIZES[size], **strength}
        if kind == "gaussian_naive_bayes":
            del parameters["arity"]
        seed = _seed(f"{NAME}/{kind}/{size}/{number}")
        truth = draw(kind, parameters, seed)
        for difficulty in _difficulties(truth):
            name = f"{kind}-{size:02d}-{difficulty}"
            entry = {"name": name, "kind": kind, "n_attributes": size, "difficulty": difficulty}
            known = {
                "parameters": parameters,
                "seed": seed,
                "facts": _facts(truth),
                "checksum": checksum(truth),
            }
            if difficulty not in found:
                found[difficulty] = entry | known
                print(f"{name}: truth {number + 1}", file=sys.stderr, flush=True)
        if len(found) == len(DIFFICULTIES):
            return [found[difficulty] for difficulty in DIFFICULTIES]
    raise AssertionError("the strengths come to no end")


def _seed(text: str) -> int:
    return int(hashlib.sha256(text.encode()).hexdigest()[:8], 16)


def _difficulties(truth: Any) -> Iterator[str]:
    """Return the difficulty of a truth, or nothing if it is passed over."""
    prior_error = _prior_error(truth)
    numeric = not hasattr(truth, "n_cells")
    if prior_error < LEAST_PRIOR_ERROR or not (numeric or truth.enumerable) or not is_steady(truth):
        return
    share = bayes_error(truth, n_rows=ROWS).value / prior_error
    yield from (name for name, (low, high) in DIFFICULTIES.items() if low < share <= high)


def _prior_error(truth: Any) -> float:
    return float(1 - truth.class_marginal().max())


def _facts(truth: Any) -> dict[str, Any]:
    facts = describe(truth, n_rows=ROWS)
    estimates = {name: getattr(facts, name) for name in ("bayes_error", "ceiling", "information")}
    arities = [int(truth.arities[v]) for v in truth.attributes] if hasattr(truth, "arities") else None
    return {
        "arities": arities,
        "n_classes": len(truth.classes),
        "class_entropy": _rounded(facts.class_entropy),
        "prior_error": _rounded(_prior_error(truth)),
        **{name: _rounded(estimate.value) for name, estimate in estimates.items()},
        "bayes_error_standard_error": _rounded(_error(facts.bayes_error)),
        "dependence": _rounded(facts.dependence),
    }


def _error(estimate: Estimate) -> float:
    return estimate.standard_error


def _rounded(value: float) -> float:
    return float(f"{max(value, 0.0):.6g}") if value > 1e-12 else 0.0


if __name__ == "__main__":
    main()
