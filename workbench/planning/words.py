"""A plan in sentences: how learners do now, what more rows bring, and where nothing can be said."""

from collections.abc import Iterator

import numpy as np

from workbench.base.text import and_of, count_of
from workbench.planning.findings import APART, WIDENING, PlanFindings
from workbench.planning.table import FOLDS

__all__ = ["ASSUMED", "answer_of", "limits_of", "place_words", "sentences_of", "times_words"]

ASSUMED = (
    "This assumes that future rows are like these: drawn from the same source, with the same columns and "
    "the same holes."
)


def answer_of(plan: PlanFindings) -> str:
    """Return the answer as one sentence: of the learner with the lowest loss now, at the most rows."""
    n, key = plan.rows[-1], plan.leaders[0]
    i, k = plan.learners.index(key), plan.sizes.index(n)
    more = f"{n:,} rows, {times_words(n, plan.n_rows)} the {plan.n_rows:,} that there are"
    who = key if len(plan.leaders) == 1 else f"{key}, which has the lowest loss now but may not be the best,"
    twins, law, now = plan.gain[i, k], plan.extrapolated[i, k], plan.present.mean[i]
    if plan.disagree[i, k]:
        return (
            f"What {more}, would bring {who} cannot be said: twins expect {_bits(twins)} a row, "
            f"extrapolation expects {_bits(law)}, of {now:.2f} bits lost now."
        )
    interval = f"nominal 80% interval {plan.low[i, k]:.2f} to {plan.high[i, k]:.2f}"
    if round(float(plan.expected[i, k]), 2) == round(float(now), 2):
        return f"{more}, are expected to bring {who} nothing: {now:.2f} bits a row are lost now ({interval})."
    return (
        f"With {more}, {who} is expected to lose {plan.expected[i, k]:.2f} bits a row ({interval}) and not "
        f"{now:.2f} as now: twins expect {_bits(twins)}, extrapolation expects {_bits(law)}."
    )


def sentences_of(plan: PlanFindings) -> tuple[str, ...]:
    """Return the findings in plain words, the answer first."""
    return (
        answer_of(plan),
        *_ranks(plan),
        *_lowest(plan),
        *_worse_than_prior(plan),
        *_disagreement(plan),
        ASSUMED,
    )


def _bits(gain: float) -> str:
    """Return a gain in words."""
    if np.isnan(gain):
        return "nothing that it can say"
    rounded = round(float(gain), 2)
    if rounded == 0:
        return "no gain"
    return f"{abs(rounded):.2f} bits {'saved' if rounded > 0 else 'more lost'}"


def _ranks(plan: PlanFindings) -> Iterator[str]:
    leaders = plan.leaders
    if len(plan.learners) == 1:
        return
    if len(leaders) == 1:
        yield f"Only {leaders[0]} may be the best now, by cross-validation; it need not stay the best."
    else:
        yield (
            f"Cross-validation cannot tell which of {and_of(leaders)} is the best now, nor can twins tell "
            "which will be."
        )


def _lowest(plan: PlanFindings) -> Iterator[str]:
    """Say where the lowest loss is expected, and which others it may be that of."""
    n = plan.rows[-1]
    k = plan.sizes.index(n)
    kept = np.flatnonzero(~plan.disagree[:, k])
    if len(kept) < 2:
        return
    first = kept[plan.expected[kept, k].argmin()]
    others = [plan.learners[i] for i in kept if i != first and plan.low[i, k] <= plan.high[first, k]]
    yield (
        f"With {n:,} rows the lowest loss is expected of {plan.learners[first]}, "
        f"{plan.expected[first, k]:.2f} bits ({plan.low[first, k]:.2f} to {plan.high[first, k]:.2f})"
        + (f"; the intervals of {and_of(others)} overlap with it." if others else ".")
    )


def _worse_than_prior(plan: PlanFindings) -> Iterator[str]:
    """Name learners that lose more than somebody who knows the class frequencies alone."""
    worse = [key for key, own in zip(plan.learners, plan.present.mean, strict=True) if own > plan.prior_loss]
    if worse:
        yield (
            f"{and_of(worse)} {'loses' if len(worse) == 1 else 'lose'} more now than the class frequencies "
            f"alone, {plan.prior_loss:.2f} bits."
        )


def _disagreement(plan: PlanFindings) -> Iterator[str]:
    unknown = [key for key, own in zip(plan.learners, plan.extrapolated, strict=True) if np.isnan(own).any()]
    if unknown:
        yield f"There is no extrapolation for {and_of(unknown)}: too few smaller samples could be fitted."
    flagged: dict[tuple[str, ...], list[str]] = {}
    for n in plan.rows:
        k = plan.sizes.index(n)
        own = tuple(key for key, differs in zip(plan.learners, plan.disagree[:, k], strict=True) if differs)
        flagged.setdefault(own, []).append(f"{n:,}")
    for own, numbers in flagged.items():
        if own:
            yield (
                f"At {and_of(numbers)} rows twins and extrapolation disagree about {and_of(own)}: rely on "
                "neither alone."
            )


def limits_of(plan: PlanFindings) -> Iterator[str]:
    """Say how a plan was made, and what it cannot do."""
    yield (
        f"Now: {count_of(plan.present.losses.shape[1] // FOLDS, 'ten-fold cross-validation')}, in which "
        f"learners have {plan.present.n_train:,} of the {plan.n_rows:,} rows. Log loss is in bits a row, "
        f"after the cut-off of 2002; the class frequencies alone have {plan.prior_loss:.2f}. Ranks are by "
        "corrected t tests of all pairs with Holm's adjustment; what these cannot tell apart is a range."
    )
    yield (
        f"By twins: {len(plan.kinds)} networks are drawn from the table, half of them dense and half trees "
        "given the class, and learners are fitted to as many rows of each. A twin says how much a learner "
        "gains there; no twin is the truth, and its own loss is not a limit of what can be reached."
    )
    yield (
        "By extrapolation: a power law through the losses on a quarter of the training rows, on half, on 71% "
        "and on all of them; an eighth is shown and not fitted."
    )
    yield (
        f"Intervals reach {WIDENING:g} times the error of cross-validation and the spread over twins, added "
        "in squares, to either side. The two ways disagree where their gains are more than "
        f"{APART:.0%} of the present loss apart, or twins save more than is lost now. An interval is of the "
        "loss, most of it for not knowing the loss now, and not of the gain. In a study of 17 tables they "
        "held 77% of the losses that came at 4 times the rows; of the learner with the lowest loss now, of "
        "which the answer speaks, 71%, and its losses came higher than expected."
    )


def times_words(n: int, n_rows: int) -> str:
    """Return how many times as many rows these are."""
    return f"{n / n_rows:.3g} times"


def place_words(low: int, high: int) -> str:
    """Return a rank, or the range that cannot be told."""
    return f"{low}" if low == high else f"{low}\u2013{high}"
