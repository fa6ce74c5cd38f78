"""Write the tables of docs/tests.md from runs of the tests and from planted faults.

    pytest ... --seconds-to quiet.json     (tests/budget.py; `make test SECONDS=quiet.json` does it)
    python docs/scripts/tests_page.py --run "make test, quiet" quiet.json --run "make test-all" all.json \
        --sample benchmarks/faults/sample.json --before benchmarks/faults/b1f31f0.json --after benchmarks/faults/after.json

The first run is the one of `make test` whose folders and slowest tests are listed.
"""

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from workbench.report.renderers.markdown import between_markers

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "tests.md"
N_SLOWEST = 10


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table of Markdown; all columns but the first are numbers."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def folder(test: str) -> str:
    """Return the first two folders of a test's file, or the package of an example in a docstring."""
    parts = test.partition("::")[0].split("/")[:-1]
    return (
        "/".join(parts[:3])
        if parts and parts[0] == "tests"
        else f"examples in {parts[-1 if len(parts) == 1 else 0]}"
    )


def runs_table(runs: dict[str, dict[str, Any]]) -> str:
    """Return cases, minutes and processor time of each run."""
    head = (
        "run",
        "cases",
        "wall [min]",
        "processor [s]",
        "of it compilation [s]",
        "units of the budget",
        "load",
    )
    rows = []
    for label, run in runs.items():
        sums = {what: sum(test[what] for test in run["tests"]) for what in ("seconds", "compiled", "units")}
        rows.append((label, f"{len(run['tests']):,}", f"{run['wall'] / 60:.1f}", f"{sum(sums.values()) - sums['units']:,.0f}",
                     f"{sums['compiled']:,.0f}", f"{sums['units']:,.0f}", f"{run['load']:.1f}"))  # fmt: skip
    return table(head, rows)


def folders_table(quick: dict[str, Any], everything: dict[str, Any]) -> str:
    """Return cases and processor time by folder, of the quick tests and of all, and lines."""
    cases: dict[str, list[Counter[str]]] = {"quick": [], "all": []}
    for name, run in (("quick", quick), ("all", everything)):
        n, seconds = Counter(), Counter()
        for test in run["tests"]:
            n[folder(test["test"])] += 1
            seconds[folder(test["test"])] += test["seconds"]
        cases[name] = [n, seconds]
    lines: dict[str, int] = defaultdict(int)
    for file in (ROOT / "tests").rglob("*.py"):
        lines[folder(file.relative_to(ROOT).as_posix())] += len(file.read_text().splitlines())
    names = sorted({*cases["all"][0], *lines}, key=lambda name: -cases["quick"][1][name])
    rows = [
        (name, lines.get(name, ""), cases["quick"][0][name], f"{cases['quick'][1][name]:.1f}",
         cases["all"][0][name], f"{cases['all'][1][name]:.0f}")
        for name in names
    ]  # fmt: skip
    head = ("folder", "lines", "quick cases", "quick [s]", "all cases", "all [s]")
    return table(head, rows)


def slowest_table(run: dict[str, Any]) -> str:
    """Return the slowest tests."""
    found = sorted(run["tests"], key=lambda test: -test["seconds"])[:N_SLOWEST]
    rows = [(f"`{test['test'].removeprefix('tests/')}`", f"{test['seconds']:.2f}") for test in found]
    return table(("test", "processor [s]"), rows)


def faults_table(sample: list[dict[str, str]], before: dict[str, Any], after: dict[str, Any]) -> str:
    """Return how many faults are stopped, and list those that are not."""
    fates = [
        {int(number): one["state"] for number, one in side["faults"].items()} for side in (before, after)
    ]
    stopped = [{number for number, state in side.items() if state.startswith("killed")} for side in fates]
    rows = [
        ("stopped", *map(len, stopped)),
        ("stopped before, and not now", "", len(stopped[0] - stopped[1])),
        ("stopped now, and not before", "", len(stopped[1] - stopped[0])),
        ("not stopped", *(len(sample) - len(side) for side in stopped)),
    ]
    listed = [
        f"- {number}: `{place['function']}`: `{place['before']}` became `{place['after']}`: {fates[1].get(number, 'not run')}"
        for number, place in enumerate(sample)
        if number not in stopped[1]
    ]
    return table(("faults", "before", "now"), rows) + "\n\nNot stopped now:\n\n" + "\n".join(listed)


def main() -> None:
    """Write the page."""
    as_written = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=as_written)
    parser.add_argument("--run", nargs=2, action="append", required=True, metavar=("LABEL", "FILE"))
    for name in ("--sample", "--before", "--after"):
        parser.add_argument(name, type=Path, required=True)
    options = parser.parse_args()
    runs = {label: json.loads(Path(file).read_text()) for label, file in options.run}
    sample, before, after = (
        json.loads(p.read_text()) for p in (options.sample, options.before, options.after)
    )
    first, last = list(runs.values())[0], list(runs.values())[-1]
    parts = [
        "## What is run, and for how long",
        runs_table(runs),
        "## The slowest quick tests",
        slowest_table(first),
        "## By folder",
        folders_table(first, last),
        "## Planted faults",
        faults_table(sample, before, after),
    ]
    PAGE.write_text(between_markers(PAGE.read_text(encoding="utf-8"), "\n\n".join(parts)), encoding="utf-8")


if __name__ == "__main__":
    main()
