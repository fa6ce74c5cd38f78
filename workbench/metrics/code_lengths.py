"""Code lengths of 1996: of classes given predicted sets, of their savings, and of theories."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from workbench.metrics._shared.base import Metric, SetMetric
from workbench.metrics._shared.checks import Classes, Codes, Numbers, Sets, check_choice, check_sets

__all__ = [
    "CodeLength",
    "ConstantComplexity",
    "FrequencyComplexity",
    "LaplaceComplexity",
    "Significance",
    "TheoryComplexity",
    "WholeMessage",
]

#: What alpha and beta gain: the class's share of its set, or what makes r alpha count hits.
Increment = Literal["share", "count"]
INCREMENTS = ("share", "count")
Seed = int | np.random.Generator | None


class CodeLength(SetMetric):
    """Base class of metrics of predicted sets: the bits that encode the classes case by case.

    A code length is called as `metric(y_true, y_set, classes=..., random_state=...)`. The code adapts to
    earlier cases, so the order of cases matters. A subclass declares the attributes of `Metric`. Its method
    `_of_cases` computes the bits of the cases.

    See Also
    --------
    workbench.metrics.as_sets : makes sets from labels.

    Examples
    --------
    >>> from workbench.metrics import laplace_complexity
    >>> laplace_complexity([0, 1], [[True, False], [True, True]]).__round__(3)  # 1, then 0.585 + 1
    2.585
    """

    unit = "bits"
    order_matters = True

    def __call__(
        self, y_true: ArrayLike, y_set: ArrayLike, *, classes: Classes = None, random_state: Seed = None
    ) -> float:
        """Return the number of bits that encode all cases, which is the sum of `code_lengths`."""
        return self._of_all(self.code_lengths(y_true, y_set, classes=classes, random_state=random_state))

    def code_lengths(
        self, y_true: ArrayLike, y_set: ArrayLike, *, classes: Classes = None, random_state: Seed = None
    ) -> Numbers:
        """Return the number of bits that encode each case, given the earlier cases.

        Parameters
        ----------
        y_true, y_set, classes
            As in `SetMetric.__call__`.
        random_state : int, Generator or None
            Seed to shuffle the cases. None keeps the given order.

        Returns
        -------
        ndarray of shape (n_samples,)
            Number of bits for each case, in the given order.
        """
        codes, sets = check_sets(y_true, y_set, classes)
        if random_state is None:
            return self._of_cases(codes, sets)
        order = np.random.default_rng(random_state).random(len(codes)).argsort(kind="stable")
        lengths = np.empty(len(codes))
        lengths[order] = self._of_cases(codes[order], sets[order])
        return lengths

    def _of_all(self, scores: Numbers) -> float:
        return float(scores.sum())


class LaplaceComplexity(CodeLength):
    """Compute the bits that encode the classes, given predicted sets, with hits coded by Laplace's rule.

    Smaller is better. At least 1 bit, without upper bound. The score does not depend on the order of the
    cases.

    Notes
    -----
    A hit is a case whose predicted set contains the true class. The code first states whether a case is a
    hit, then which class it is. Let m of n classes be in the set. After c_p hits and c_n misses a hit costs
    -log2 (c_p + 1)/(c_p + c_n + 2) + log2 m bits, and a miss costs -log2 (c_n + 1)/(c_p + c_n + 2) + log2(n -
    m) bits. The code is wasteful for sets with none or all of the classes, and may exceed log2 n bits per
    case. `constant_complexity` corrects both faults.

    References
    ----------
    .. [1] Cleary, J. G., Legg, S., and Witten, I. H., "An MDL estimate of the significance of rules", 1996,
       section 3: the simple estimator.

    Examples
    --------
    >>> from workbench.metrics import laplace_complexity
    >>> sets = [[True, False], [False, True], [True, False]]
    >>> laplace_complexity([0, 1, 0], sets).__round__(6)  # hits of probability 1/2, 2/3, 3/4
    2.0
    """

    workbench_identity = "workbench.metrics.laplace_complexity:LaplaceComplexity"
    name = "laplace_complexity"
    direction = "lower"
    meaning = "the bits that encode the classes, with hits coded by Laplace's rule"
    bounds = (1.0, np.inf)
    order_matters = False

    def _of_cases(self, codes: Codes, sets: Sets) -> Numbers:
        n_samples, n_classes = sets.shape
        cases = np.arange(n_samples)
        hit = sets[cases, codes]
        named = np.count_nonzero(sets, axis=1)
        hits: Codes = np.cumsum(hit) - hit
        same = np.where(hit, hits, cases - hits)
        choices = np.where(hit, named, n_classes - named)
        return np.log2(choices * (cases + 2) / (same + 1))


class ConstantComplexity(CodeLength):
    """Compute the bits that encode the classes, given predicted sets, with equal weight of all classes.

    Smaller is better. From 0, without upper bound. A case with an empty set, or with the set of all classes,
    costs log2 n bits for n classes.

    Notes
    -----
    This is the constant weighted code of the paper, I_c(D|T,Q). A hit is a case whose predicted set contains
    the true class. Let m of n classes be in the set. A class in the set has probability p/m, and a class
    outside has (1 - p)/(n - m), where p = alpha m / (alpha m + beta (n - m)). A hit then adds 1/m to alpha,
    and a miss adds 1/(n - m) to beta. Both start at 1/n.

    References
    ----------
    .. [1] Cleary, J. G., Legg, S., and Witten, I. H., "An MDL estimate of the significance of rules", 1996,
       section 3 and Table 1.

    Examples
    --------
    >>> from workbench.metrics import constant_complexity
    >>> constant_complexity([0, 1, 2, 3], [[True] * 4] * 4)
    8.0
    >>> constant_complexity.code_lengths([0, 1], [[True, False], [False, True]]).round(3)
    array([1.   , 0.415])
    """

    workbench_identity = "workbench.metrics.constant_complexity:ConstantComplexity"
    name = "constant_complexity"
    direction = "lower"
    meaning = "the bits that encode the classes, given the predicted sets, with equal weight of classes"
    bounds = (0.0, np.inf)

    def _of_cases(self, codes: Codes, sets: Sets) -> Numbers:
        return _adaptive_code(codes, sets, by_frequency=False)


class FrequencyComplexity(CodeLength):
    """Compute the bits that encode the classes, given predicted sets and class frequencies in earlier rows.

    Smaller is better. From 0, without upper bound. If all sets contain all classes, the score is the
    number of bits with the class frequencies: see `class_complexity`.

    Parameters
    ----------
    increment : {"share", "count"}
        What a hit (a case whose predicted set contains the true class) adds to alpha. "share" adds p_t / r as
        printed (`frequency_complexity`). "count" adds 1/r, so that r alpha counts the hits
        (`frequency_complexity_by_count`). The same holds for beta and misses.
    name : str
        Name in tables and study files.

    Notes
    -----
    This is the frequency weighted code of the paper, I_f(D|T,Q). After class i was true c_i times in N cases,
    it has p_i = (c_i + 1)/(N + n), for n classes. r is the sum of p_i over the set. The true class t of a hit
    has probability p p_t/r, and that of a miss has (1 - p) p_t/(1 - r), where p = r alpha / (r alpha + (1 -
    r) beta). A hit then adds p_t/r to alpha, and a miss adds p_t/(1 - r) to beta, with the p_t that coded the
    case. Both start at 1/n.

    As printed, r is counted twice if classes have unequal frequencies. Consider predictions that always name
    a class with a share of 90%, for 1000 cases. They cost 653 bits in the mean over orders of the cases
    (standard deviation 26). The cost is 643 bits if the misses are spread evenly over the first 998 cases,
    437 if they come first, and 920 if they come last. The class frequencies cost 474 bits in any order. By
    the text of the paper this cannot be exceeded in the limit. With ``increment="count"`` the predictions
    cost 479 bits, with a standard deviation of 1.

    References
    ----------
    .. [1] Cleary, J. G., Legg, S., and Witten, I. H., "An MDL estimate of the significance of rules", 1996,
       section 3 and Table 1.

    Examples
    --------
    >>> from workbench.metrics import frequency_complexity, frequency_complexity_by_count
    >>> sets = [[True, False], [False, True], [True, False]]
    >>> frequency_complexity([0, 1, 1], sets).__round__(3)
    4.322
    >>> frequency_complexity_by_count([0, 1, 1], sets).__round__(3)
    5.07
    """

    workbench_identity = "workbench.metrics.frequency_complexity:FrequencyComplexity"
    direction = "lower"
    meaning = "the bits that encode the classes, given the predicted sets and class frequencies so far"
    bounds = (0.0, np.inf)

    def __init__(self, *, increment: Increment = "share", name: str = "frequency_complexity") -> None:
        check_choice(increment, INCREMENTS, name="increment")
        self.increment: Increment = increment
        self.name = name

    def _of_cases(self, codes: Codes, sets: Sets) -> Numbers:
        return _adaptive_code(codes, sets, by_count=self.increment == "count")


class Significance(CodeLength):
    """Compute the bits that predicted sets save relative to the class frequencies.

    Larger is better, without bounds. 0 for sets of all classes and for empty sets. Above 0, the predictions
    carry more information than the null hypothesis (the class frequencies).

    Parameters
    ----------
    increment : {"share", "count"}
        As in `FrequencyComplexity`. "share" is the printed form.
    name : str
        Name in tables and study files.

    Notes
    -----
    S_f = I_f(D|Q) - I_f(D|T,Q): the `class_complexity` minus the `frequency_complexity`. `code_lengths`
    returns the bits saved for each case. The score grows with the number of cases, so compare scores only on
    test sets of equal size. If every set has one of two classes, the score is nearly equal to
    `analytic_significance`.

    References
    ----------
    .. [1] Cleary, J. G., Legg, S., and Witten, I. H., "An MDL estimate of the significance of rules", 1996,
       section 4.

    Examples
    --------
    >>> from workbench.metrics import as_sets, significance, significance_by_count
    >>> y = [0, 1] * 50
    >>> significance(y, as_sets(y, classes=[0, 1])).__round__(2)  # right throughout
    98.31
    >>> significance(y, as_sets([{0, 1}] * 100, classes=[0, 1]))
    0.0
    >>> significance_by_count(y, as_sets([0] * 100, classes=[0, 1])).__round__(2)  # no information
    -4.7
    """

    workbench_identity = "workbench.metrics.significance:Significance"
    direction = "higher"
    meaning = "the bits that predicted sets save relative to the class frequencies (0: none)"
    bounds = (-np.inf, np.inf)

    def __init__(self, *, increment: Increment = "share", name: str = "significance") -> None:
        check_choice(increment, INCREMENTS, name="increment")
        self.increment: Increment = increment
        self.name = name

    def _of_cases(self, codes: Codes, sets: Sets) -> Numbers:
        by_count = self.increment == "count"
        without = _adaptive_code(codes, np.ones_like(sets), by_count=by_count)
        return without - _adaptive_code(codes, sets, by_count=by_count)


def _adaptive_code(codes: Codes, sets: Sets, *, by_frequency: bool = True, by_count: bool = False) -> Numbers:
    """Code each class by its weight, with hits and misses weighted by their previous success.

    A weight is 1 and, by frequency, the number of earlier cases of the class. `by_count` raises alpha and
    beta by 1/r and 1/(1 - r), otherwise by the class's share of its set. All weights are integers, so r and 1
    - r are exact. If every set has all classes, it is the code of the frequencies.
    """
    n_samples, n_classes = sets.shape
    cases = np.arange(n_samples)
    weights = np.ones((n_classes, n_samples), dtype=np.int64)
    if by_frequency:
        weights[:, 1:] += np.cumsum(codes[:-1] == np.arange(n_classes)[:, None], axis=1)
    total = n_classes + cases if by_frequency else n_classes
    weight, hit = weights[codes, cases], sets[cases, codes]
    inside = np.multiply(weights, sets.T).sum(axis=0)
    outside = total - inside
    gain = (total if by_count else weight) / np.where(hit, inside, outside)
    alpha, beta = (_before(np.where(side, gain, 0.0), n_classes) for side in (hit, ~hit))
    own = np.where(hit, alpha, beta) * weight
    return np.log2((inside * alpha + outside * beta) / own)


def _before(gains: Numbers, n_classes: int) -> Numbers:
    """Add up what earlier cases added to 1 / n_classes, one after the other."""
    sums = np.empty_like(gains)
    sums[0] = 1.0 / n_classes
    sums[1:] = gains[:-1]
    return np.cumsum(sums, out=sums)


class TheoryComplexity(Metric):
    """Compute the bits that encode a theory: a tree, a graph or rules.

    Smaller is better. From 0, without upper bound. The score depends only on the fitted learner and not on
    any rows, so it does not measure performance. `whole_message` is the sum of this score and of the bits
    that encode the classes given the theory.

    Parameters
    ----------
    learner : classifier
        A fitted learner with a theory that can be encoded. These are the learners of `learners` that grow
        trees, graphs or rules, and any other learner whose method ``theory_complexity()`` returns an object
        with ``total``, in bits.

    Notes
    -----
    In I(D) = I(T) + I(Q) + I(D|T,Q), I(T) is this score, and the bits of the attributes, I(Q), are the same
    for all learners. `learners.code_lengths.theory` documents the code of a theory. In a study, a learner
    without a theory has no such score, and its cells do not fail. The score has no prior, rows or cut-off:
    all three are "none".

    References
    ----------
    .. [1] Cleary, J. G., Legg, S., and Witten, I. H., "An MDL estimate of the significance of rules", 1996,
       section 2, "Theory Complexity"; "future work" of section 6.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from workbench.metrics import theory_complexity
    >>> class Coin:  # its theory is one of two classes
    ...     def theory_complexity(self):
    ...         return SimpleNamespace(total=1.0)
    >>> theory_complexity(Coin())
    1.0
    """

    workbench_identity = "workbench.metrics.theory_complexity:TheoryComplexity"
    name = "theory_complexity"
    unit = "bits"
    direction = "lower"
    meaning = "the bits that encode the theory: a tree, a graph or rules"
    bounds = (0.0, np.inf)
    needs = frozenset({"theory"})

    def __call__(self, learner: Any) -> float:
        """Return the number of bits that encode the theory of a fitted learner."""
        return _theory_bits(learner)


class WholeMessage(Metric):
    """Compute the bits that encode a theory and then the classes of the training rows.

    Smaller is better. From 0, without upper bound. The score is the sum of `theory_complexity` and of
    `frequency_complexity` on the training rows. No other rows are used, so the score estimates performance
    and does not measure it.

    Notes
    -----
    In I(D) = I(T) + I(Q) + I(D|T,Q), the bits of the attributes, I(Q), are the same for all learners. So the
    sum of the other two terms can be compared, and the learner with the shortest message can be chosen.
    experiments/studies/theory_complexity/notes.md measures the value of such choices. If the classes that a
    theory names are scored, these choices lose more than choices by cross-validation, and other codes for
    theories change little. If its probabilities are scored, these choices come near to choices by
    cross-validation.

    In a study the score is always on training rows, and a learner without a theory has no such score.
    `make_scorer` returns a scorer with the negative of the score. Pass the training rows to that scorer.

    References
    ----------
    .. [1] Cleary, J. G., Legg, S., and Witten, I. H., "An MDL estimate of the significance of rules", 1996,
       section 2, and section 3 for I_f(D|T,Q).

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from workbench.metrics import whole_message
    >>> class Coin:  # its theory is one of two classes
    ...     def theory_complexity(self):
    ...         return SimpleNamespace(total=1.0)
    >>> sets = [[True, False], [False, True], [True, False]]
    >>> whole_message(Coin(), [0, 1, 1], sets).__round__(3)  # 1 + 4.322
    5.322
    """

    workbench_identity = "workbench.metrics.whole_message:WholeMessage"
    name = "whole_message"
    unit = "bits"
    direction = "lower"
    meaning = "the bits that encode the theory, and then the classes of the training rows"
    bounds = (0.0, np.inf)
    needs = frozenset({"theory", "sets"})
    order_matters = True

    def __call__(
        self, learner: Any, y_true: ArrayLike, y_set: ArrayLike, *, classes: Classes = None
    ) -> float:
        """Return the bits that encode a fitted learner's theory, and then the classes given the theory."""
        codes, sets = check_sets(y_true, y_set, classes)
        return _theory_bits(learner) + float(_adaptive_code(codes, sets).sum())


def _theory_bits(learner: Any) -> float:
    if not hasattr(learner, "theory_complexity"):
        raise ValueError(
            f"{type(learner).__name__} has no theory_complexity(): use a fitted tree, graph or rule learner"
        )
    return float(learner.theory_complexity().total)
