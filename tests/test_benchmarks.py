"""A section of the benchmarks can be had alone, and that of the metrics has all that the page promises."""

import subprocess
import sys
from pathlib import Path

from workbench.metrics import METRICS

ROOT = Path(__file__).resolve().parents[1]


def run(*arguments):
    return subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True)


def test_an_unknown_section_is_told_with_the_known_ones():
    done = run("-m", "benchmarks", "--only", "nothing")
    assert done.returncode == 2
    for key in ("simulation", "million", "tables", "camml", "metrics"):
        assert f"'{key}'" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_page_of_one_section_is_refused():
    done = run("-m", "benchmarks", "--only", "metrics", "--to", "page.md")
    assert done.returncode == 2
    assert "--to writes the page of all sections: leave out --only" in done.stderr
    assert not (ROOT / "page.md").exists()


def test_the_section_of_metrics_comes_alone_and_whole():
    few = "from benchmarks import __main__, metrics; metrics.SAMPLES = 3000; "
    done = run("-c", few + "__main__.main(['--only', 'metrics'])")
    assert done.returncode == 0, done.stderr[-2000:]
    rows = [line.split("│")[1:4] for line in done.stdout.splitlines() if line.startswith("│")]
    named = [who.strip() for _, who, _ in rows]
    assert named == [
        "scikit-learn log_loss",
        "scikit-learn roc_auc_score",
        *(f"ours, {name}" for name, metric in METRICS.items() if "theory" not in metric.needs),
        "ours, reliability_table",
        "ours, decomposition, no bootstrap",
        "ours, decomposition, 200 bootstraps",
        "ours, decomposition of log_loss, 200 bootstraps",
        "ours, exact_decomposition",
        "ours, exact_decomposition of log_loss",
    ]
