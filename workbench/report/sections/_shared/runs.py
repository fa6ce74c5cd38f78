"""How often a study was run, and the TOML that its store keeps."""

from workbench.base.text import count_of
from workbench.store.results import StudyResults

__all__ = ["runs_of", "toml_of"]


def runs_of(results: StudyResults) -> str:
    """Return how often the study was run, and when last."""
    runs = results.runs
    ended = runs["ended"].dropna()
    when = f", the last ended {ended.iloc[-1][:19].replace('T', ' ')} UTC" if len(ended) else ""
    return f"{count_of(len(runs), 'run')}{when}"


def toml_of(results: StudyResults) -> str | None:
    """Return the text of the study; None, which pandas makes NaN among texts, if TOML cannot express it."""
    toml = results.runs["toml"].iloc[-1]
    return toml if isinstance(toml, str) else None
