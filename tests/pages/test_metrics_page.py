"""The page of all metrics says what they declare."""

import re
import runpy
from pathlib import Path

from workbench.base.catalogue import ALIASES
from workbench.metrics import METRICS

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_the_page_is_what_the_script_writes() -> None:
    page = runpy.run_path(str(DOCS / "scripts" / "metrics_table.py"))["page"]()
    written = (DOCS / "guides" / "metrics.md").read_text(encoding="utf-8")
    assert written == page, "write it anew: python docs/scripts/metrics_table.py"


def test_every_metric_has_a_row_and_a_line_with_its_source() -> None:
    page = (DOCS / "guides" / "metrics.md").read_text(encoding="utf-8")
    table, _, _ = page.partition("\n## Other names\n")
    rows = [line for line in table.splitlines() if line.startswith("| `")]
    lines = [line for line in page.splitlines() if line.startswith("- `")]
    assert len(rows) == len(lines) == len(METRICS)
    for metric, row, line in zip(METRICS.values(), rows, lines, strict=True):
        assert row.startswith(f"| `{metric.name}` |")
        assert line.startswith(f"- `{metric.name}`")
        assert re.search(r"\b(19|20)\d\d\b", line), "its docstring has no References"


def test_other_names_say_what_differs_from_scikit_learn() -> None:
    page = (DOCS / "guides" / "metrics.md").read_text(encoding="utf-8")
    section = re.findall(r"^## Other names\n(.*?)^## ", page, flags=re.DOTALL | re.MULTILINE)[0]
    rows = {
        key: (names, said)
        for names, key, said in re.findall(r"^\| (.+) \| `(\w+)` \| (.*) \|$", section, re.M)
    }
    assert set(re.findall(r"`(\w+)`", " ".join(names for names, _ in rows.values()))) == set(
        ALIASES["metrics"]
    )
    assert "twice scikit-learn's `brier_score_loss`" in rows["quadratic_loss"][1]
    assert "`confidence_calibration_error`" in rows["expected_calibration_error"][1]
    assert "bits" in rows["log_loss_nats"][1]
