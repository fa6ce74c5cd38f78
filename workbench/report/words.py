"""Words of a report for names of files, and of its numbers for programs."""

from typing import TYPE_CHECKING

from workbench.analyses import Experiment

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["name_of", "score_words", "source_word", "word"]


def name_of(what: str, experiment: Experiment, *place: object) -> str:
    """Name a number so that programs find it: what, score, source, and where in the experiment."""
    return "|".join(map(str, (what, *experiment.score, experiment.source, *place)))


def score_words(experiment: Experiment) -> str:
    """Return the score of an experiment in words."""
    score = experiment.score
    words = [f"prior {score.prior}"] * (score.prior != "none")
    words += [f"{score.rows} rows".replace("exact rows", "exact")] * (score.rows != "none")
    words += [f"cut-off {score.cutoff}"] * (score.cutoff != "none")
    return f"{score.metric} ({', '.join(words)})" if words else score.metric


def word(text: str) -> str:
    """Make a word of lower case letters, digits and underscores."""
    return "_".join("".join(c if c.isascii() and c.isalnum() else " " for c in text.lower()).split())


def source_word(results: "StudyResults", source: str) -> str:
    """Return a source's word for names of files, with its number where another has the same."""
    words = [word(key) for key in results.study.source_keys]
    i = results.study.source_keys.index(source)
    return words[i] if words[i] and words.count(words[i]) == 1 else f"{words[i]} {i + 1}"
