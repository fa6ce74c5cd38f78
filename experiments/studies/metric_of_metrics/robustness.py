"""Tables that turn the headlines of the notes: which pairs, learners, truths and conventions make them."""

from collections.abc import Callable

import numpy as np
from agreements import JUDGED, PARTS, SCORED, TIED
from numpy.typing import NDArray
from shares import MAIN, SHOWN, TIES_BROKEN, UNSMOOTHED, Smoothed, at, cells, crossing, test_rows

from workbench.report.notes import table

FAR = {"kl_divergence": "bits", "accuracy": "of accuracy"}
#: On 50 test rows: training rows, exact score, and the metric that Kononenko-Bratko is compared with.
BOUNDED = (
    (1000, "kl_divergence", "log_loss"), (1000, "ir_b", "ir_b"), (1000, "quadratic_loss", "quadratic_loss"),
    (1000, "accuracy", "accuracy"), (1000, "accuracy", "log_loss"), (200, "accuracy", "log_loss"),
    (200, "accuracy", "ir_b"),
)  # fmt: skip
#: Shown for the pairs with the learner that assigns probability 0.
AT_ZERO = ("log_loss", "ir_b", "quadratic_loss", "accuracy", "kononenko_bratko")


def subsets(data: Smoothed, target: str) -> dict[str, Callable[[int], NDArray[np.bool_]]]:
    """Return by name the pairs (truths, pairs) of a row of a sensitivity table, by training rows."""
    found, learners = data.found, list(dict.fromkeys(data.found.pairs[data.pairs].ravel().tolist()))

    def by_gap(low: float, high: float = np.inf) -> Callable[[int], NDArray[np.bool_]]:
        return lambda n: data.pairs & (data.gap(target, n) > low) & (data.gap(target, n) <= high)

    def by_truth(part: int, value: str) -> Callable[[int], NDArray[np.bool_]]:
        return lambda n: data.pairs & (data.parts[part] == value)[:, None]

    def by_pair(kept: NDArray[np.bool_]) -> Callable[[int], NDArray[np.bool_]]:
        return lambda n: np.broadcast_to(kept, data.gap(target, n).shape)

    chosen = {"all": by_pair(data.pairs), "without tied pairs": by_gap(TIED)}
    chosen |= {f"pairs more than {far} {FAR[target]} apart": by_gap(far) for far in (0.01, 0.03)}
    chosen[f"pairs up to 0.01 {FAR[target]} apart"] = by_gap(TIED, 0.01)
    names = (lambda kind: f"{kind} truths", str, lambda skew: f"{skew} classes")
    for part, name in enumerate(names):
        chosen |= {name(value): by_truth(part, value) for value in dict.fromkeys(data.parts[part].tolist())}
    without = {name: ~(found.pairs == name).any(axis=1) & data.pairs for name in learners}
    chosen |= {f"without {name}": by_pair(kept) for name, kept in without.items()}
    return chosen | {f"pairs with {UNSMOOTHED} alone": by_pair(~data.pairs)}


def sensitivity(data: Smoothed, comparison: tuple[str, str, str]) -> str:
    """Return one row per subset: the crossing, and the difference at the fewest and the most test rows."""
    sizes, rows, chosen = data.found.sizes.tolist(), [], subsets(data, comparison[0])
    family = 2 * len(sizes) * len(chosen)
    for name, pairs in chosen.items():
        of_size = [data.lead(comparison, n, pairs(n)) for n in sizes]
        ends = [cell for k in (0, -1) for lead in of_size for cell in cells(lead[:, [k]], family)]
        rows.append([name, *(crossing(lead) for lead in of_size), *ends])
    head = [
        f"{what}, {n} training rows" for what in ("crossing", "50 test rows", "5000 test rows") for n in sizes
    ]
    return table(["pairs", *head], rows)


def unsmoothed(data: Smoothed) -> str:
    """Return agreement on the pairs with the learner that assigns probability 0."""
    rows, targets = [], ("kl_divergence", "accuracy")
    family = len(SCORED) * len(targets) * len(SHOWN)
    shares = [data.percent(target, MAIN, ~data.pairs) for target in targets]
    for m, metric in enumerate(SCORED):
        rows.append([metric, *(cell for share in shares for cell in cells(at(share)[:, :, m], family))])
    head = [f"{target}, {n}" for target in targets for n in test_rows()]
    return table(["metric", *head], rows)


def ties_broken(data: Smoothed) -> str:
    """Return how often two learners err equally often, and what asking log loss then gains for accuracy."""
    sizes = data.found.sizes.tolist()
    equal = {n: at(data.equal_errors(n)).mean(axis=0) for n in sizes}
    rows = [["pairs with equal numbers of errors", n, *(f"{v:.1f}" for v in equal[n]), "-"] for n in sizes]
    for metric, other in (
        (TIES_BROKEN, "accuracy"),
        (TIES_BROKEN, "log_loss"),
        (TIES_BROKEN, "kononenko_bratko"),
    ):
        for n in sizes:
            lead = data.lead(("accuracy", metric, other), n)
            own = cells(at(lead), 3 * len(sizes) * len(SHOWN))
            rows.append([f"{metric}, less {other}", n, *own, "-" if other == "accuracy" else crossing(lead)])
    return table(["exact accuracy decides", "training rows", *test_rows(), "crossing"], rows)


def bounded_penalty(data: Smoothed) -> str:
    """Return how far Kononenko-Bratko is ahead on 50 test rows, by kind of truth and without each learner."""
    chosen = {
        name: pairs
        for name, pairs in subsets(data, "accuracy").items()
        if name == "all" or name.endswith(" truths") or name.split()[-1] in data.found.pairs[data.pairs]
    }
    rows = []
    for name, pairs in chosen.items():
        leads = [data.lead((target, "kononenko_bratko", other), n, pairs(n)) for n, target, other in BOUNDED]
        rows.append([name, *(cells(lead[:, [0]], len(chosen) * len(BOUNDED))[0] for lead in leads)])
    head = [f"{target}: less {other}, {n} training rows" for n, target, other in BOUNDED]
    return table(["pairs", *head], rows)


def by_kind(data: Smoothed, target: str) -> str:
    """Return agreement on the most test rows by kind of truth and training rows."""
    kinds, sizes = list(dict.fromkeys(data.parts[0].tolist())), data.found.sizes.tolist()
    metrics = ("log_loss", "ir_b", "quadratic_loss", "accuracy", TIES_BROKEN, "kononenko_bratko")
    family = len(kinds) * len(sizes) * len(metrics)
    columns = [data.percent(target, n)[data.parts[0] == kind, -1] for kind in kinds for n in sizes]
    rows = [
        [metric, *(cells(own[:, [JUDGED.index(metric)]], family)[0] for own in columns)] for metric in metrics
    ]
    return table(["metric", *(f"{kind} truths, {n} training rows" for kind in kinds for n in sizes)], rows)


def zeros(data: Smoothed) -> str:
    """Split the pairs with the learner that assigns probability 0 by whether its exact KL is infinite."""
    infinite = np.isinf(data.gap("kl_divergence", MAIN)) & ~data.pairs
    finite = ~infinite & ~data.pairs
    whole = (~data.pairs).sum() * len(infinite)
    shown = [list(PARTS).index(n) for n in (50, 5000)]
    share = {"infinite": 100 * infinite.sum() / whole, "finite": 100 * finite.sum() / whole}
    rows: list[list[object]] = [
        ["share of these pairs", *(f"{v:.1f}" for v in share.values() for _ in shown)]
    ]
    for metric in AT_ZERO:
        found = [data.percent_of(metric, "kl_divergence", MAIN, own)[:, shown] for own in (infinite, finite)]
        family = len(AT_ZERO) * 2 * len(shown)
        rows.append([metric, *(cell for own in found for cell in cells(own, family))])
    head = [f"exact KL {what}, {n} test rows" for what in ("infinite", "finite") for n in (50, 5000)]
    return table(["metric", *head], rows)
