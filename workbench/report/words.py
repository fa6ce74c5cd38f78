"""How reports and the terminal name scores, explain their words, and name numbers and files."""

from collections.abc import Callable, Iterable, Sequence

from workbench.analyses import Comparison, PairedScores
from workbench.base.names import learner_list, learner_name, metric_name
from workbench.base.score_key import ScoreKey
from workbench.base.text import count_of
from workbench.metrics import Metric
from workbench.store.failures import failures_by_learner
from workbench.store.results import StudyResults
from workbench.study.metric_spec import metric_named

__all__ = [
    "asked_keys",
    "beaten_rows",
    "failure_notes",
    "headline_keys",
    "legend_of",
    "name_of",
    "score_head",
    "score_notes",
    "source_word",
    "word",
]

#: What the words of the titles mean, shown where they occur.
WORDS = {
    ("prior", "marginal"): "the reward is relative to the true class distribution",
    (
        "prior",
        "training",
    ): "the reward is relative to the class frequencies of the training rows, plus 0.5 each",
    ("prior", "test"): "the reward is relative to the class frequencies of the test rows, plus 0.5 each",
    ("prior", "uniform"): "the reward is relative to equal class probabilities",
    ("cut-off", "2001"): (
        "probabilities are limited to [0.5/(n + 1), (n + 0.5)/(n + 1)] and divided by their sum, with n "
        "training rows"
    ),
    ("cut-off", "2002"): (
        "probabilities are limited to [0.5/(n + k/2), (n + 0.5)/(n + k/2)] and divided by their sum, with n "
        "training rows and k classes"
    ),
}

#: Over the learners that one beats, of one data set.
BEATS = "significantly better than"
#: Most learners whose failures are explained at once.
MOST_FAILURES = 5

#: What the rows of a score are.
ROWS = {
    "exact": "exact: the expected score, computed over the whole attribute space",
    "test": "test rows: the mean over held-out rows",
    "training": "training rows: the mean over the rows used for training",
}


def name_of(what: str, experiment: PairedScores, *place: object) -> str:
    """Name a number so that programs find it: what, score, source, and where in the experiment."""
    return "|".join(map(str, (what, *experiment.score, experiment.source, *place)))


def word(text: str) -> str:
    """Make a word of lower case letters, digits and underscores."""
    return "_".join("".join(c if c.isascii() and c.isalnum() else " " for c in text.lower()).split())


def source_word(results: StudyResults, source: str) -> str:
    """Return a source's word for names of files, with its number where another has the same."""
    words = [word(key) for key in results.study.source_keys]
    i = results.study.source_keys.index(source)
    return words[i] if words[i] and words.count(words[i]) == 1 else f"{words[i]} {i + 1}"


def score_head(key: ScoreKey) -> str:
    """Break the words of a score into the lines of a narrow column's head."""
    return key.words.replace(" (", "\n(").replace(", ", ",\n")


def headline_keys(results: StudyResults, score: ScoreKey | str | None = None) -> list[ScoreKey]:
    """Choose one score per metric: first the one that decides, then in the order of the study."""
    metrics = list(dict.fromkeys(key.metric for key in results.score_keys))
    asked = score if any(ScoreKey.parse(score)) or not metrics else metrics[0]
    chosen = [results.choose(asked)]
    for metric in dict.fromkeys((chosen[0].metric, *metrics)):
        cut = results.choose(metric)
        plain = cut._replace(cutoff="none")
        chosen += [cut, *([plain] if plain in results.score_keys else [])]
    return list(dict.fromkeys(chosen))


def asked_keys(results: StudyResults, score: ScoreKey | str | None) -> list[ScoreKey]:
    """Choose one score per metric, of one metric if it is named, or the score that is."""
    asked = results.asked(score)
    if any(asked[1:]):
        return [results.choose(score)]
    keys = headline_keys(results, score)
    return [key for key in keys if not asked.metric or key.metric == keys[0].metric]


def failure_notes(results: StudyResults, where: str) -> list[str]:
    """Report learners that failed, most of all once, and where to read of the others."""
    found = list(failures_by_learner(results))
    rest = len(found) - MOST_FAILURES
    more = [f"{count_of(rest, 'more learner')} failed: see {where}"] if rest > 0 else []
    return [*found[:MOST_FAILURES], *more]


def score_notes(keys: Sequence[ScoreKey]) -> list[str]:
    """Explain the words that stand in brackets behind the metrics of scores."""
    lines = [line for word, line in ROWS.items() if any(key.rows == word for key in keys)]
    named = {("prior", key.prior) for key in keys} | {("cut-off", key.cutoff) for key in keys}
    return [
        *lines,
        *[f"{_written(*key)}: {line}" for key, line in WORDS.items() if key in named],
    ]


def _written(what: str, word: str) -> str:
    """Write a prior or a cut-off as `ScoreKey.words` does."""
    return f"{word} prior" if what == "prior" else f"clipped as in {word}"


def legend_of(keys: Iterable[ScoreKey], *, metric: Callable[[str], Metric] = metric_named) -> dict[str, str]:
    """Explain the words of scores: metrics, priors and cut-offs."""
    keys = list(keys)
    found = {metric_name(key.metric): _summary(metric(key.metric)) for key in keys}
    words = {("prior", key.prior) for key in keys} | {("cut-off", key.cutoff) for key in keys}
    return found | {_written(*key): line for key, line in WORDS.items() if key in words}


def _summary(metric: Metric) -> str:
    """Return what the scores of a metric are, as it stands behind a colon."""
    line = metric.summary.rstrip(".")
    own = f" ({metric.definition})" if metric.definition else ""
    return f"{metric.meaning or line[:1].lower() + line[1:]}{own}"


def beaten_rows(
    tests: Sequence[Comparison], *, p: str = "p_holm"
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return columns and rows: in each cell the learners significantly worse than the column's, or row's."""
    learners = list(dict.fromkeys(key for one in tests for key in one.scores.wanted))
    if len(tests) == 1:
        (only,) = tests
        beaten = tuple((learner_name(key), learner_list(only.beaten_by(key, p=p))) for key in learners)
        return ("learner", BEATS), beaten
    rows = []
    for one in tests:
        own = {key: learner_list(one.beaten_by(key, p=p)) for key in one.scores.wanted}
        rows.append((one.scores.source, *[own.get(key, "") for key in learners]))
    return (tests[0].scores.by.source, *map(learner_name, learners)), tuple(rows)
