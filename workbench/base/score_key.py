"""The key of a score: "metric/prior/rows/cutoff" for options, and one form in words."""

from typing import NamedTuple

from workbench.base.errors import WorkbenchError, nearest
from workbench.base.names import metric_name

__all__ = ["CUTOFFS", "PREFERRED_PRIORS", "PREFERRED_ROWS", "ScoreKey", "preference"]

#: Preferences where a key leaves a part open: the first one that exists.
PREFERRED_ROWS = ("exact", "test", "training", "none")
PREFERRED_PRIORS = ("none", "marginal", "training", "test", "uniform")
CUTOFFS = ("none", "2001", "2002")


class ScoreKey(NamedTuple):
    """The key of one score of a cell: "none" if a metric has no such choice, empty to leave it open."""

    metric: str = ""
    prior: str = ""  # what a reward is compared with
    rows: str = ""  # which rows were scored
    cutoff: str = ""  # how probabilities were kept away from 0 and 1

    @classmethod
    def parse(cls, text: "str | ScoreKey | None") -> "ScoreKey":
        """Read a key from text such as "ir_b//test". Missing parts, or all parts of None, stay open."""
        if text is None or isinstance(text, ScoreKey):
            return text or cls()
        if not isinstance(text, str):
            raise WorkbenchError(f'score is {text!r}: expected text such as "ir_b/marginal/exact/none"')
        parts = [part.strip() for part in text.split("/")]
        if len(parts) > len(cls._fields):
            raise WorkbenchError(
                f"score {text!r} has {len(parts)} parts: expected metric/prior/rows/cutoff, from the left"
            )
        for what, word, known in zip(cls._fields[1:], parts[1:], _KNOWN, strict=False):
            if word and word not in known:
                raise WorkbenchError(f"unknown {what} {word!r} in score {text!r}; {nearest(word, known)}")
        return cls(*parts)

    def __str__(self) -> str:
        return "/".join(self).rstrip("/")

    @property
    def name(self) -> str:
        """The name of the metric for people."""
        return metric_name(self.metric)

    @property
    def words(self) -> str:
        """The score in words, wherever it is shown. `str` is the form of options."""
        rows = {"": "", "none": "", "exact": "exact"}.get(self.rows, f"{self.rows} rows")
        prior = f"{self.prior} prior" if self.prior not in ("", "none") else ""
        cutoff = f"clipped as in {self.cutoff}" if self.cutoff not in ("", "none") else ""
        shown = ", ".join(filter(None, (rows, prior, cutoff)))
        return f"{self.name} ({shown})" if shown else self.name

    def fits(self, key: "ScoreKey") -> bool:
        """Return whether a key has every part that this one names."""
        return all(part in ("", own) for part, own in zip(self, key, strict=True))


_KNOWN = (PREFERRED_PRIORS, PREFERRED_ROWS, CUTOFFS)


def preference(key: ScoreKey) -> tuple[int, int, bool]:
    """Rank a score of a metric: exact, then test rows, the marginal prior first, no cut-off before any."""
    return PREFERRED_ROWS.index(key.rows), PREFERRED_PRIORS.index(key.prior), key.cutoff != "none"
