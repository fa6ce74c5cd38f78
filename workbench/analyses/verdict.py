"""The answer in one sentence, from the tests: the winner, its lead and the significance."""

import math
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from workbench.analyses._shared.comparison import Comparison, Standing, comparisons_of
from workbench.analyses._shared.data_sets_answer import answer, wins_and_leads
from workbench.analyses._shared.partial_results import partial_note
from workbench.analyses._shared.subjects import THE_TRUTHS, behind_number
from workbench.base.errors import WorkbenchError
from workbench.base.names import capital, spoken_name
from workbench.base.score_key import ScoreKey
from workbench.base.text import and_of, capitalized, count_of
from workbench.comparisons import PairedT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from workbench.store.results import StudyResults

__all__ = ["Verdict", "answer_of", "answer_sentence", "answer_to", "deciding_tests"]

INTERVALS = "simultaneous 95% intervals{within} (Bonferroni)"
LONGEST = 2000  # most characters of clauses by source
BRIEF = 450  # the same where a first glance is to take them in


@dataclass(frozen=True)
class Verdict:
    """The answer of a study in a sentence: the winner, its lead and the significance.

    Parameters
    ----------
    score : ScoreKey
        The key of the score.
    unit : str
    n_replicates : tuple of int
        Number of truths of each source.
    standings : tuple of Standing
        The leaders, sorted by source, then size.
    left_out : tuple of str
        Learners that could not be compared. The sources are named if a learner is missing only on some.
    infinite : tuple of str
        Learners whose scores would be infinite without the cut-off of this score.
    deciding : str
        The criterion of significance, in words. Empty if it is simultaneous intervals of paired differences.
    repeated : tuple of str
        One text for each source with fewer truths than replicates, with its number of truths.
    lacking : tuple of str
        Learners that lack scores on some truths. These truths are left out for all learners.

    Examples
    --------
    >>> import numpy as np
    >>> from workbench.analyses import PairedScores
    >>> rng = np.random.default_rng(1)
    >>> values = rng.normal(size=(40, 1, 1)) + [[[0.0], [0.5]]] + 0.1 * rng.normal(size=(40, 2, 1))
    >>> score = ScoreKey("ir_b", "marginal", "exact", "none")
    >>> scores = PairedScores("tan", score, ("nb", "tan"), (50,), tuple(range(40)), values)
    >>> print(Verdict.of([Comparison.of(scores)]).sentence)
    By IR_B (exact, marginal prior), on TAN truths, TAN wins with 50 training rows, 0.496 bits (0.459 to
    0.532) ahead of naive Bayes. The test: paired differences over 40 truths, simultaneous 95% intervals
    (Bonferroni).
    """

    score: ScoreKey
    unit: str
    n_replicates: tuple[int, ...]
    standings: tuple[Standing, ...]
    left_out: tuple[str, ...] = ()
    infinite: tuple[str, ...] = ()
    deciding: str = ""
    repeated: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()

    @classmethod
    def of(cls, tests: "Sequence[Comparison]", *, results: "StudyResults | None" = None) -> "Verdict":
        """Derive the answer from the tests of all sources.

        Parameters
        ----------
        tests : sequence of Comparison
            The tests, all by the same score.
        results : StudyResults, optional
            The results of the study, to find the learners for which a cut-off was needed.

        Returns
        -------
        Verdict
        """
        first = tests[0].scores
        standings = tuple(standing for one in tests for standing in one.standings)
        replicates = tuple(len(one.scores.blocks) for one in tests)
        left_out = _by_learner(
            (left.learner, one.scores.source) for one in tests for left in one.scores.left_out
        )
        compared = [*first.learners, *left_out]
        infinite = () if results is None else tuple(results.infinite_without_cutoff(first.score, compared))
        deciding = "" if isinstance(first.test, PairedT) else tests[0].deciding
        repeated = () if results is None else tuple(_repeated(results, tests))
        lacking = _by_learner(
            (key, f"{n} of {one.scores.kind}") for one in tests for key, n in one.scores.lacking
        )
        return cls(
            first.score, first.unit, replicates, standings,
            tuple(_on(spoken_name(key), sources, len(tests)) for key, sources in left_out.items()),
            infinite, deciding, repeated,
            tuple(f"{spoken_name(key)} has no score on {and_of(where)}" for key, where in lacking.items()),
        )  # fmt: skip

    @property
    def winners(self) -> tuple[str, ...]:
        """Learners that win (are significantly better than every other learner) in some setting."""
        return tuple(dict.fromkeys(standing.leader for standing in self.standings if standing.wins))

    @property
    def parts(self) -> tuple[str, ...]:
        """The clause of each source."""
        parts, unit = [], behind_number(self.unit, self.score.metric)
        for kind, group in groupby(self.standings, key=lambda standing: standing.kind):
            runs = [list(same) for _, same in groupby(group, key=lambda s: (s.leader, s.runner_up, s.tied))]
            leaders = [(run[0].leader, run[0].wins) for run in runs]
            known = [i > 0 and one == leaders[i - 1] for i, one in enumerate(leaders)]
            by_leader: list[list[str]] = []
            for run, same in zip(runs, known, strict=True):
                if not same:
                    by_leader.append([])
                by_leader[-1].append(_clause(run, unit, same))
            first, *others = (and_of(clauses) for clauses in by_leader)
            where = "" if kind == THE_TRUTHS else f"on {kind}, "
            parts.append(". ".join([f"{where}{first}", *map(capital, others)]))
        return tuple(parts)

    @property
    def opening(self) -> str:
        """The opening words of the answer, which name the score."""
        return f"By {self.score.words}"

    @property
    def surety(self) -> str:
        """The sentences on the test behind the answer."""
        low, high = min(self.n_replicates), max(self.n_replicates)
        several = len(self.n_replicates) > 1
        many = "replicates" if self.repeated else "truths"
        n = f"{low} {many}" if low == high else f"{low} to {high} {many}"
        each = " of each kind" if several else ""
        within = " within a kind" if several else ""
        test = self.deciding or INTERVALS.format(within=within)
        sentences = [f"The test: paired differences over {n}{each}, {test}."]
        if self.repeated:
            sentences.append(f"The intervals hold for these truths only: {and_of(self.repeated)}.")
        if self.lacking:
            sentences.append(
                f"Truths without all scores are left out for every learner: {and_of(self.lacking)}."
            )
        if self.left_out:
            sentences.append(f"Not compared, for lack of finite scores: {and_of(self.left_out)}.")
        if self.infinite:
            names = and_of(list(map(spoken_name, self.infinite)))
            sentences.append(f"Without clipping the score of {names} is infinite.")
        return " ".join(sentences)

    @property
    def tally(self) -> str:
        """How often each learner wins and leads, for studies with many kinds of truth and sizes."""
        first, *others = wins_and_leads([(one.leader, one.wins) for one in self.standings], "in ")
        several = len({one.kind for one in self.standings}) > 1
        what = "combinations of kind and size" if several else "sizes"
        clauses = [f"{first} of {len(self.standings)} {what}", *others]
        return (
            f"{and_of(clauses)} (a win is a significant difference from every other compared learner, a "
            "lead is not)"
        )

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clause of each source, or for long answers a single clause with counts of wins."""
        return self.parts if sum(map(len, self.parts)) <= LONGEST else (self.tally,)

    @property
    def brief(self) -> tuple[str, ...]:
        """The clauses if they are few, otherwise a single clause with counts of wins."""
        return self.clauses if sum(map(len, self.clauses)) <= BRIEF else (self.tally,)

    @property
    def sentence(self) -> str:
        """The whole answer."""
        return answer_sentence(self.opening, self.clauses, self.surety)

    @property
    def brief_sentence(self) -> str:
        """The answer with few clauses."""
        return answer_sentence(self.opening, self.brief, self.surety)


def answer_sentence(opening: str, clauses: "Sequence[str]", surety: str) -> str:
    """Join the parts of an answer. Without `surety` its clauses are sentences that name the test."""
    if not surety:
        return " ".join(clauses)
    first, *others = clauses
    return " ".join([f"{opening}, {first}.", *(f"{capitalized(one)}." for one in others), surety])


def _clause(standings: "list[Standing]", unit: str, leader_known: bool) -> str:
    """Describe neighboring sizes with the same outcome, with a leader named once."""
    first = standings[0]
    rows = f"with {and_of([str(standing.n_train) for standing in standings])} training rows"
    gaps = and_of([_gap(standing, unit) for standing in standings])
    verb = "" if leader_known else f"{spoken_name(first.leader)} {'wins' if first.wins else 'leads'} "
    ahead = f"{gaps} ahead of {spoken_name(first.runner_up)}"
    if first.wins:
        return f"{verb}{rows}, {ahead}"
    if len(first.tied) == 1:
        return f"{verb}{rows}, {ahead} (not significant)"
    tied = and_of(list(map(spoken_name, first.tied)))
    return f"{verb}{rows}, {ahead} (no significant difference from {tied})"


def _gap(standing: Standing, unit: str) -> str:
    decimals = _decimals(standing)
    gap, low, high = (f"{value:.{decimals}f}" for value in (standing.gap, standing.low, standing.high))
    return f"{gap}{unit}" if math.isnan(standing.low) else f"{gap}{unit} ({low} to {high})"


def _decimals(standing: Standing) -> int:
    """Return the decimals: at least three, two significant digits of the gap, one of a winner's low end."""
    needed = 1 - math.floor(math.log10(standing.gap)) if standing.gap > 0 else 3
    if standing.wins and standing.low > 0:  # rounded to 0 it would seem to include zero
        needed = max(needed, -math.floor(math.log10(standing.low)))
    return min(8, max(3, needed))


def deciding_tests(
    results: "StudyResults",
    score: ScoreKey | str | None = None,
    *,
    learners: "Sequence[str] | None" = None,
) -> tuple[Comparison, ...]:
    """Return the tests behind the answer, one for each source."""
    return comparisons_of(results, score=score, learners=learners)


def _by_learner(pairs: "Iterable[tuple[str, str]]") -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for learner, what in pairs:
        found.setdefault(learner, []).append(what)
    return found


def _on(learner: str, sources: "Sequence[str]", n_sources: int) -> str:
    return learner if len(sources) == n_sources else f"{learner} on {and_of(sources)}"


def _repeated(results: "StudyResults", tests: "Sequence[Comparison]") -> "Iterator[str]":
    """Name sources whose replicates are other rows of the same truths."""
    for one in tests:
        source, n = one.scores.source, len(one.scores.blocks)
        given = results.study.sources[source]
        if isinstance(given, list | tuple) and len(given) < n and one.scores.by.independent:
            yield f"{n} replicates of {source} use {count_of(len(given), 'truth')}"


def answer_of(
    results: "StudyResults",
    score: ScoreKey | str | None = None,
    *,
    learners: "Sequence[str] | None" = None,
) -> str:
    """Return the answer to a study in a sentence. See `Results.answer`."""
    try:
        sentence = answer_to(results, deciding_tests(results, score, learners=learners))
    except WorkbenchError as error:
        if (results.cells()["state"] != "pending").all():
            raise
        sentence = f"No answer yet: {error}."
    return " ".join(filter(None, (partial_note(results), sentence)))


def answer_to(results: "StudyResults", tests: "Sequence[Comparison]", *, brief: bool = False) -> str:
    """Write the answer of tests: by size where sources have sizes, otherwise by source."""
    if not tests[0].scores.by.has_sizes:
        return answer(results, tests)
    verdict = Verdict.of(tests, results=results)
    return verdict.brief_sentence if brief else verdict.sentence
