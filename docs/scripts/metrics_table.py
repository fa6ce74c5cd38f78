"""Write docs/guides/metrics.md, the table of all metrics, from what they declare: no arguments."""

import inspect
import math
import re
from pathlib import Path

from workbench.base.catalogue import ALIASES
from workbench.metrics import METRICS, Metric, SampleMetric, ScoringRule, SetMetric
from workbench.report.notes import table

PAGE = Path(__file__).resolve().parents[1] / "guides" / "metrics.md"
TOP = """# Metrics and scoring rules

This page lists all metrics, with their units and bounds, and states which are proper scoring rules. A metric
is called with the true classes and the predicted probabilities. In `compare` and in study files its name is
enough, as in `metrics=["log_loss", "ir_b"]`.

```python
from workbench.metrics import log_loss

y_prob = [[0.8, 0.2], [0.3, 0.7]]  # columns: no, yes
print(round(log_loss(["no", "yes"], y_prob, classes=["no", "yes"]), 3), "bits")
```

```text
0.418 bits
```

The columns of the table:

- *Kind*: what the metric scores.
    - *scoring rule*: the mean of one number per sample
    - *samples*: one number for all samples
    - *sets*: predicted sets of classes in place of probabilities
    - *truths*: the predicted probabilities compared with the true ones of a generating model (*truth*)
    - *theories*: the fitted learner, for some metrics together with its predicted sets
- *Needs*: what else the metric uses, such as the prior, the class distribution that rewards are relative to.
- *Proper*: only the true probabilities have the best expected score.
- *Per sample*: `NAME.per_sample(...)` returns a score for each sample.
- *Exact*: the expected score on a truth is computed exactly, as a sum over all combinations of values.
- *Order*: exchanging two samples can change the score.

With two classes and a fixed prior, `ir_b` and `log_loss` compare learners alike. A difference of `ir_b` is
the difference of `log_loss` with the opposite sign, in bits.

"""
END = """
`python docs/scripts/metrics_table.py` writes this page from the declarations of the metrics.
"""
COLUMNS = ("metric", "kind", "unit", "better", "bounds", "needs", "proper", "per sample", "exact", "order")
#: How metrics differ from those of the same name in scikit-learn and elsewhere.
CAUTIONS = {
    "quadratic_loss": "summed over classes: with two classes, twice scikit-learn's `brier_score_loss`",
    "expected_calibration_error": "class-wise error, the mean over all classes. For the predicted class "
    "only, the ECE of Guo et al. (2017), use `confidence_calibration_error`",
    "log_loss_nats": "scikit-learn's `log_loss`. Our `log_loss` is the same in bits",
    "auc": "with several classes, the unweighted mean of each class against the rest: scikit-learn's "
    '`roc_auc_score(multi_class="ovr")`',
    "kl_divergence": "in bits, needs a truth",
}
KINDS = ((ScoringRule, "scoring rule"), (SampleMetric, "samples"), (SetMetric, "sets"))


def page() -> str:
    """Return the text of the page."""
    rows = table(COLUMNS, map(_row, METRICS.values()))
    lines = "\n".join(f"- {_line(metric)}" for metric in METRICS.values())
    return f"{TOP}{rows}\n\n{_other_names()}\n\n## Definitions and sources\n\n{lines}\n{END}"


def _other_names() -> str:
    """Return the section of other names of metrics, and how ours differ from these."""
    words = ALIASES["metrics"]
    rows = []
    for key in dict.fromkeys(words.values()):
        names = ", ".join(f"`{word}`" for word, meant in words.items() if meant == key)
        rows.append([names, f"`{key}`", CAUTIONS.get(key, "")])
    return "## Other names\n\n" + table(["name", "metric here", "difference"], rows)


def _row(metric: Metric) -> tuple[str, ...]:
    kinds = (word for base, word in KINDS if isinstance(metric, base))
    kind = next(kinds, "theories" if "theory" in metric.needs else "truths")
    flags = (metric.proper, metric.has_per_sample, metric.has_expected, metric.order_matters)
    return (
        f"`{metric.name}`",
        kind,
        metric.unit,
        metric.direction,
        f"{_number(metric.bounds[0])} to {_number(metric.bounds[1])}",
        ", ".join(sorted(metric.needs)),
        *("yes" if flag else "" for flag in flags),
    )


def _number(bound: float) -> str:
    if math.isinf(bound):
        return "∞" if bound > 0 else "−∞"
    return f"{bound:g}".replace("-", "−")


def _line(metric: Metric) -> str:
    """Return what a metric measures, its options and its sources."""
    text = inspect.getdoc(type(metric)) or ""
    options = ", ".join(f"{name}={value!r}" for name, value in metric.options.items())
    given = f" ({options})" if options else ""
    return f"`{metric.name}`{given}: {text.splitlines()[0]} {_sources(text)}".rstrip()


def _sources(text: str) -> str:
    """Return the references of a docstring, each on one line."""
    section = re.search(r"^References\n-+\n(.*?)(?=^\S[^\n]*\n-+\n|\Z)", text, flags=re.DOTALL | re.MULTILINE)
    entries = re.split(r"\.\. \[\d+\] ", section.group(1))[1:] if section else []
    return " ".join(" ".join(entry.split()) for entry in entries)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
