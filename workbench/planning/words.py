"""A plan in sentences: how learners do now, what more rows bring, and where nothing can be said."""

from collections.abc import Iterator

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
    more = f"{n:,} rows, {times_words(n, plan.n_rows)} the {plan.n_rows:,} that there are,"
    twins, law = plan.gain[i, k], plan.extrapolated[i, k]
    if plan.disagree[i, k]:
        return (
            f"What {more} would bring {key} cannot be said: twins expect {_bits(twins)} a row, extrapolation "
            f"expects {_bits(law)}, of {plan.present.mean[i]:.2f} bits lost now."
        )
    return (
        f"With {more} {key} is expected to lose {plan.expected[i, k]:.2f} bits a row (nominal 80% interval "
        f"{plan.low[i, k]:.2f} to {plan.high[i, k]:.2f}) and not {plan.present.mean[i]:.2f} as now: "
        f"{_bits(twins)} by twins, {_bits(law)} by extrapolation."
    )


def sentences_of(plan: PlanFindings) -> tuple[str, ...]:
    """Return the findings in plain words, the answer first."""
    return (answer_of(plan), *_ranks(plan), *_gains(plan), *_disagreement(plan), ASSUMED)


def _bits(gain: float) -> str:
    """Return a gain in words."""
    rounded = round(float(gain), 2)
    if rounded == 0:
        return "no gain"
    return f"{abs(rounded):.2f} bits {'saved' if rounded > 0 else 'more lost'}"


def _ranks(plan: PlanFindings) -> Iterator[str]:
    leaders = plan.leaders
    if len(plan.learners) == 1:
        return
    if len(leaders) == 1:
        yield f"Only {leaders[0]} may be the best now, by cross-validation."
    else:
        yield (
            f"Which learner is best now, cross-validation cannot tell among {and_of(leaders)}; nor can twins "
            "tell which will be."
        )


def _gains(plan: PlanFindings) -> Iterator[str]:
    """Say for whom more rows are expected to bring most and least."""
    if len(plan.learners) < 3:
        return
    n = plan.rows[-1]
    own = plan.gain[:, plan.sizes.index(n)]
    most, least = (plan.learners[i] for i in (own.argmax(), own.argmin()))
    yield (
        f"With {n:,} rows, twins expect {_bits(own.max())} for {most}, the most of all learners, and "
        f"{_bits(own.min())} for {least}, the least."
    )


def _disagreement(plan: PlanFindings) -> Iterator[str]:
    for n in plan.rows:
        k = plan.sizes.index(n)
        own = [key for key, differs in zip(plan.learners, plan.disagree[:, k], strict=True) if differs]
        if own:
            yield f"At {n:,} rows twins and extrapolation disagree about {and_of(own)}: trust neither there."


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
        f"{APART:.0%} of the present loss apart, or twins save more than is lost now."
    )


def times_words(n: int, n_rows: int) -> str:
    """Return how many times as many rows these are."""
    return f"{n / n_rows:.3g} times"


def place_words(low: int, high: int) -> str:
    """Return a rank, or the range that cannot be told."""
    return f"{low}" if low == high else f"{low}\u2013{high}"
