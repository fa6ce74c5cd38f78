"""Write the tables of docs/tests.md from runs of the tests and from planted faults.

    make test SECONDS=quick.json; make test-all SECONDS=all.json
    python docs/scripts/tests_page.py --run "make test" build/quick.json --run "make test-all" build/all.json

The slowest tests are those of the first run; the last one has all of them.
"""

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

from workbench.report import notes

ROOT = Path(__file__).resolve().parents[2]
FAULTS = ROOT / "benchmarks" / "faults"
PAGE = ROOT / "docs" / "tests.md"
N_SLOWEST = 10


def folder(test: str) -> str:
    """Return the folder of a test's file, two levels deep at most."""
    parts = test.partition("::")[0].split("/")[:-1]
    return "/".join(parts[:3]) if parts[:1] == ["tests"] else "examples in docstrings"


def runs_table(runs: dict[str, dict[str, Any]]) -> str:
    """Return cases, minutes and processor time of each run."""
    head = ("run", "cases", "minutes", "processor [s]", "compilation [s]", "units of the budget", "load")
    rows = []
    for label, run in runs.items():
        tests = run["tests"]
        sums = [f"{sum(test[what] for test in tests):,.0f}" for what in ("seconds", "compiled", "units")]
        rows.append((label, f"{len(tests):,}", f"{run['wall'] / 60:.1f}", *sums, f"{run['load']:.1f}"))
    return notes.table(head, rows, words=1)


def slowest_table(run: dict[str, Any]) -> str:
    """Return the slowest tests."""
    found = sorted(run["tests"], key=lambda test: -test["seconds"])[:N_SLOWEST]
    rows = [(f"`{test['test'].removeprefix('tests/')}`", f"{test['seconds']:.2f}") for test in found]
    return notes.table(("test", "processor [s]"), rows, words=1)


def folders_table(quick: dict[str, Any], everything: dict[str, Any]) -> str:
    """Return lines, cases and processor time by folder, of the quick tests and of all."""
    lines: Counter[str] = Counter()
    for file in (ROOT / "tests").rglob("*.py"):
        lines[folder(file.relative_to(ROOT).as_posix())] += len(file.read_text().splitlines())
    sides = []
    for run in (quick, everything):
        cases, seconds = Counter[str](), Counter[str]()
        for test in run["tests"]:
            cases[folder(test["test"])] += 1
            seconds[folder(test["test"])] += test["seconds"]
        sides.append((cases, seconds))
    (few, short), (many, long) = sides
    rows = [
        (name, lines[name], few[name], f"{short[name]:.1f}", many[name], f"{long[name]:.0f}")
        for name in sorted({*many, *lines}, key=lambda name: (-short[name], name))
    ]
    return notes.table(("folder", "lines", "quick cases", "quick [s]", "all cases", "all [s]"), rows, words=1)


#: How the titles of the tables begin that stay on the page; the others are files beside it.
STAYS = ("Runs and", "The slowest", "Planted faults")


def faults_table() -> str:
    """Return how many faults are stopped, and which are not."""
    sample = json.loads((FAULTS / "sample.json").read_text())
    fates = []
    for name in ("before.json", "after.json"):
        found = json.loads((FAULTS / name).read_text())["faults"]
        fates.append({int(number): one["state"] for number, one in found.items()})
    before, now = ({n for n, state in side.items() if state.startswith("killed")} for side in fates)
    counts = [
        ("stopped", len(before), len(now)),
        ("stopped in the first run only", len(before - now), 0),
        ("stopped in the latest run only", 0, len(now - before)),
        ("not stopped", len(sample) - len(before), len(sample) - len(now)),
    ]
    listed = [
        (n, *(_code(place[name]) for name in ("function", "before", "after")), fates[1].get(n, "not planted"))
        for n, place in enumerate(sample)
        if n not in now
    ]
    words = (
        "*Survived*: no test failed; *unmappable*: the function is gone or written anew; *not run*: no time "
        "was left."
    )
    head = ("fault", "function", "before", "after", "what came")
    return "\n\n".join(
        [
            notes.table(("faults", "first run", "latest run"), counts, words=1),
            f"**Faults that are not stopped.** {words}",
            notes.table(head, listed),
        ]
    )


def _code(text: str) -> str:
    """Return code as a cell of a table."""
    return text.replace("|", "\\|")


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--run", nargs=2, action="append", required=True, metavar=("LABEL", "FILE"))
    runs = {label: json.loads(Path(file).read_text()) for label, file in parser.parse_args().run}
    first, *_, last = runs.values()
    parts = [
        "## Runs and their durations",
        runs_table(runs),
        "## The slowest quick tests",
        slowest_table(first),
        "## Lines, cases and seconds by folder of tests",
        folders_table(first, last),
        "## Planted faults",
        faults_table(),
    ]
    notes.write_section(PAGE, "\n\n".join(parts), stays=STAYS)


if __name__ == "__main__":
    main()
