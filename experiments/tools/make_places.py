"""Make the manifest of the suite bias-v2: places on a map of kinds, and probes that turn one knob.

`python experiments/tools/make_places.py` writes generators/suites/bias-v2.json; `--check` draws all truths
and compares their checksums with the manifest that is there.

Difficulty is a parameter of the law, so that a place has an optimum wherever its law has one: the
concentration of the Dirichlet of the rows (of networks) or leaves (of concepts), or the separation of the
means. The values were chosen so that the best forecast leaves about a quarter, a half and three quarters of
the error of the class prior. Where the optimum is an average over all networks or is sampled, wide truths
have 12 or 13 attributes. Attribute spaces have either a few thousand cells, over which scores are exact, or
more than can be enumerated.
"""

import json
import sys
from collections.abc import Iterator
from typing import Any

from generators.base.checksum import is_steady
from generators.suites.places import DIGITS, MAP, PROBES, drawn, place_checksum, seed_of
from generators.suites.suite import FOLDER, suite, versions

NAME = "bias-v2"
ABOUT = (
    "Places to measure the inductive bias of a learner: a map of nine kinds of truths, three difficulties, "
    "few attributes (4 to 7) and many (12 to 20), 20 to 20,000 training rows; and probes, each with a knob "
    "that turns one assumption from kept to broken."
)
N_TRUTHS = 16
MAP_SIZES = [20, 50, 150, 500, 1500, 5000, 20000]
PROBE_SIZES, LONG_SIZES = [50, 500], [50, 500, 5000]

CLASSES = {"n_classes": [2, 4]}
NARROW = {"n_attributes": [4, 7], "arity": [2, 3], **CLASSES}
#: Many attributes; fewer where the optimum takes at most 13, or is sampled.
WIDE = {"n_attributes": [12, 20], "arity": 3, **CLASSES}
LESS_WIDE = {**WIDE, "n_attributes": [12, 13]}


def _knob(name: str, easy: float, medium: float, hard: float) -> dict[str, dict[str, float]]:
    return {"easy": {name: easy}, "medium": {name: medium}, "hard": {name: hard}}


_ROWS, _FLAT = _knob("concentration", 0.3, 1.0, 3.0), _knob("concentration", 2.0, 5.0, 20.0)
_LEAVES = _knob("concentration", 0.1, 0.3, 1.0)
#: By kind: parameters of narrow and of wide truths, with what makes them easy, medium or hard.
KINDS: dict[str, dict[str, tuple[dict[str, Any], dict[str, dict[str, float]]]]] = {
    "naive_bayes": {"narrow": (NARROW, _ROWS), "wide": (WIDE, _FLAT)},
    "tan": {"narrow": (NARROW, _ROWS), "wide": (WIDE, _FLAT)},
    "aode": {
        "narrow": (NARROW, _knob("concentration", 0.3, 0.7, 2.0)),
        "wide": (LESS_WIDE, _knob("concentration", 0.7, 1.5, 4.0)),
    },
    "kdb": {"narrow": (NARROW, _ROWS), "wide": (LESS_WIDE, _FLAT)},
    "dag": {
        "narrow": (NARROW, _knob("concentration", 0.1, 0.5, 2.0)),
        "wide": (LESS_WIDE, _knob("concentration", 0.1, 0.5, 2.0)),
    },
    "decision_tree": {"narrow": (NARROW, _LEAVES), "wide": (WIDE, _LEAVES)},
    "decision_graph": {"narrow": (NARROW, _LEAVES), "wide": (WIDE, _LEAVES)},
    "rules": {"narrow": (NARROW, _LEAVES), "wide": (WIDE, _LEAVES)},
    "gaussian_naive_bayes": {
        "narrow": ({"n_attributes": [4, 7], **CLASSES}, _knob("separation", 1.0, 0.5, 0.25)),
        "wide": ({"n_attributes": [12, 20], **CLASSES}, _knob("separation", 0.5, 0.25, 0.1)),
    },
}
_SIX = {"n_attributes": 6, "arity": 3, "n_classes": 3}
_NETWORKS = {"naive_bayes": ("naive_bayes", _SIX), "tan": ("tan", _SIX)}
_NORMALS = {
    "4": ("gaussian_naive_bayes", {"n_attributes": 4, "n_classes": 3}),
    "8": ("gaussian_naive_bayes", {"n_attributes": 8, "n_classes": 3, "separation": 0.7}),
}


def _missing(mechanism: str) -> list[tuple[float, dict[str, Any]]]:
    return [
        (share, {"missing": share, "mechanism": mechanism} if share else {}) for share in (0, 0.1, 0.25, 0.5)
    ]


def _levels(name: str, *values: float) -> list[tuple[float, dict[str, Any]]]:
    return [(value, {name: value}) for value in values]


#: By probe: the truths whose knob is turned, the levels with their parameters (the first keeps the
#: assumption), and the training sizes.
KNOBS: dict[
    str, tuple[dict[str, tuple[str, dict[str, Any]]], list[tuple[float, dict[str, Any]]], list[int]]
] = {
    "dependence": (
        {
            "6": ("tan", {"n_attributes": 6, "arity": 2, "n_classes": 2}),
            "12": ("tan", {"n_attributes": 12, "arity": 3, "n_classes": 3}),
        },
        _levels("dependence", 0.0, 0.25, 0.5, 0.75, 1.0),
        LONG_SIZES,
    ),
    "interaction": (
        {"6": ("parity", {"n_attributes": 6}), "10": ("parity", {"n_attributes": 10})},
        _levels("order", 1, 2, 3),
        LONG_SIZES,
    ),
    "irrelevant": (_NETWORKS, _levels("irrelevant", 0, 10, 20, 50), PROBE_SIZES),
    "copies": (_NETWORKS, _levels("redundant", 0, 2, 5, 10, 20), PROBE_SIZES),
    "label_noise": (_NETWORKS, _levels("label_noise", 0.0, 0.05, 0.1, 0.2, 0.3), PROBE_SIZES),
    # by the name in suites, see `generators.base.generator.FORMER_NAMES`
    "skew": (_NETWORKS, _levels("class_skew", 1.0, 3.0, 10.0, 30.0), PROBE_SIZES),
    "arity": (
        {"naive_bayes": ("naive_bayes", {**_SIX, "arity": 2}), "tan": ("tan", {**_SIX, "arity": 2})},
        _levels("arity", 2, 4, 8, 16),
        PROBE_SIZES,
    ),
    "missing_completely_at_random": (_NETWORKS, _missing("completely_at_random"), PROBE_SIZES),
    "missing_at_random": (_NETWORKS, _missing("at_random"), PROBE_SIZES),
    "missing_not_at_random": (_NETWORKS, _missing("not_at_random"), PROBE_SIZES),
    "concentration": (_NETWORKS, _levels("concentration", 1.0, 0.1, 0.3, 3.0, 10.0), PROBE_SIZES),
    "curvature": (_NORMALS, _levels("spread", 0.0, 0.25, 0.5, 1.0), PROBE_SIZES),
    "units": (_NORMALS, _levels("magnitudes", 0.0, 1.0, 2.0, 4.0), PROBE_SIZES),
    "steps": (
        {
            "4": ("naive_bayes", {**_SIX, "n_attributes": 4}),
            "8": ("naive_bayes", {**_SIX, "n_attributes": 8}),
        },
        [(arity, {"arity": arity, "numeric": "all"}) for arity in (2, 3, 5, 10)],
        PROBE_SIZES,
    ),
}


def main() -> None:
    """Write the manifest, or check it."""
    if sys.argv[1:] == ["--check"]:
        for place in suite(NAME).places:
            for number in range(place.n_truths):
                place.draw(number)
        print(f"{sum(place.n_truths for place in suite(NAME).places)} truths are those of the manifest")
        return
    places = [_with_truths(place) for place in (*_map(), *_probes())]
    manifest = {"name": NAME, "about": ABOUT, "made_with": versions(), "places": places}
    path = FOLDER / f"{NAME}.json"
    path.write_text(
        json.dumps(manifest, separators=(",", ":")).replace('{"key"', '\n{"key"') + "\n", encoding="utf-8"
    )
    print(f"{len(places)} places with {N_TRUTHS} truths each written to {path.name}")


def _map() -> Iterator[dict[str, Any]]:
    for kind, widths in KINDS.items():
        for width, (parameters, difficulties) in widths.items():
            for difficulty, own in difficulties.items():
                key, both = f"{kind}-{width}-{difficulty}", {**parameters, **own}
                yield _place(key, MAP, kind, both, MAP_SIZES, seed=key, width=width, difficulty=difficulty)


def _probes() -> Iterator[dict[str, Any]]:
    for probe, (bases, levels, sizes) in KNOBS.items():
        for base, (kind, parameters) in bases.items():
            for level, own in levels:
                key, word = f"{probe}-{base}-{level:g}", f"{probe}-{base}"
                both, words = {**parameters, **own}, {"probe": probe, "base": base, "level": float(level)}
                yield _place(key, PROBES, kind, both, sizes, seed=word, **words)


def _place(
    key: str, part: str, kind: str, parameters: dict[str, Any], sizes: list[int], *, seed: str, **own: Any
) -> dict[str, Any]:
    known = dict.fromkeys(("width", "difficulty", "probe", "base"), "") | {"level": 0.0} | own
    first = {"key": key, "part": part, "kind": kind}
    return {**first, **known, "parameters": parameters, "sizes": sizes, "seed": seed}


def _with_truths(place: dict[str, Any]) -> dict[str, Any]:
    """Add what is known of the truths once they are drawn."""
    truths = [
        drawn(place["kind"], place["parameters"], seed_of(NAME, place["seed"], i)) for i in range(N_TRUTHS)
    ]
    restless = [i for i, truth in enumerate(truths) if not is_steady(truth, DIGITS)]
    if restless:
        raise AssertionError(f"last bits decide the checksums of truths {restless} of {place['key']}")
    n_attributes = [len(truth.attribute_names) for truth in truths]
    print(place["key"], file=sys.stderr, flush=True)
    return {**place, "n_attributes": n_attributes, "checksums": [place_checksum(truth) for truth in truths]}


if __name__ == "__main__":
    main()
