"""The page of all metrics says what they declare."""

import re
import runpy
from pathlib import Path

from workbench.metrics import METRICS

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_the_page_is_what_the_script_writes() -> None:
    page = runpy.run_path(str(DOCS / "scripts" / "metrics_table.py"))["page"]()
    written = (DOCS / "guides" / "metrics.md").read_text(encoding="utf-8")
    assert written == page, "write it anew: python docs/scripts/metrics_table.py"


def test_every_metric_has_a_row_and_a_line_with_its_source() -> None:
    page = (DOCS / "guides" / "metrics.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    lines = [line for line in page.splitlines() if line.startswith("- `")]
    assert len(rows) == len(lines) == len(METRICS)
    for metric, row, line in zip(METRICS.values(), rows, lines, strict=True):
        assert row.startswith(f"| `{metric.name}` |")
        assert line.startswith(f"- `{metric.name}`")
        assert re.search(r"\b(19|20)\d\d\b", line), "its docstring has no References"
