"""A section of the benchmarks can be had alone, and that of the metrics has all that the page promises."""

import subprocess
import sys
from pathlib import Path

import pytest

import benchmarks.__main__ as whole
from benchmarks import page
from benchmarks.__main__ import main
from benchmarks.report import Line
from workbench.metrics import METRICS

ROOT = Path(__file__).resolve().parents[1]


def run(*arguments):
    return subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True)


def refused(capsys, *arguments):
    """Return what invalid arguments print."""
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    return capsys.readouterr().err


def test_an_unknown_section_is_reported_with_the_known_ones(capsys):
    said = refused(capsys, "--only", "nothing")
    for key in ("simulation", "million", "tables", "camml", "metrics"):
        assert f"'{key}'" in said


def test_a_page_of_one_section_is_refused(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    said = refused(capsys, "--only", "metrics", "--to", "page.md")
    assert "page.md does not exist: leave out --only to write the page" in said
    assert not Path("page.md").exists()


def test_sections_of_a_page_are_written_anew_in_their_place():
    text = "# Speed\n\nhead\n\n## One\n\nold\n\n## Three\n\nstays\n\n## Quoted\n\nlast\n"
    line = Line("work", "ours", 0.5, 2.0, note="as it was")
    found = page.renewed(text, {"Two": [line], "One": [line]}, 1.25, ["One", "Two", "Three"])
    head, one, two, *others = found.split("\n\n## ")
    assert head == "# Speed\n\nhead"
    assert [one[:3], two[:3]] == ["One", "Two"]
    for section in (one, two):
        assert "load average before the start 1.2." in section
        assert section.endswith("| work | ours | as it was |  | 0.500 | 2.00 |")
    assert others == ["Three\n\nstays", "Quoted\n\nlast\n"]


def test_what_was_measured_apart_stays_on_a_new_page():
    line = Line("work", "ours", 0.5, 2.0)
    text = (
        "# Speed\n\nold head\n\n## One\n\nold\n\n## Two\n\nMeasured separately on a day: rows\n\n"
        "## Gone\n\nold\n"
    )
    found = page.markdown(text, {"One": [line]}, 1.25, ["One", "Two"])
    head, *sections = found.split("\n\n## ")
    assert "old head" not in head
    assert [section.split("\n")[0] for section in sections] == ["One", "Two", page.WEKA, page.GROWTH]
    assert sections[0].endswith("| work | ours |  |  | 0.500 | 2.00 |")
    assert sections[1] == "Two\n\nMeasured separately on a day: rows"


def test_what_is_not_long_is_measured_and_drawn_only_if_asked(monkeypatch):
    measured, drawn = [], []
    for key, section in whole.SECTIONS.items():
        own = section._replace(lines=lambda key=key: measured.append(key) or [])
        monkeypatch.setitem(whole.SECTIONS, key, own)
    for module in (whole.growth, whole.camml):
        monkeypatch.setattr(module, "draw", lambda: drawn.append(True))
    main([])
    assert measured == [key for key, section in whole.SECTIONS.items() if not section.is_long]
    assert not drawn
    main(["--only", "waits", "--draw"])
    assert measured[-1] == "waits"
    assert len(drawn) == 2


@pytest.mark.process
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
