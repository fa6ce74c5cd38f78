"""Mutation testing: small faults in a sample of places, and the tests that reach them.

    python -m benchmarks.mutants sample CHECKOUT --n 120 --to sample.json
    python -m benchmarks.mutants reach CHECKOUT --sample sample.json --to reached.json
    python -m benchmarks.mutants run CHECKOUT --sample sample.json --reached reached.json --to result.json
    python -m benchmarks.mutants table before.json after.json --sample sample.json

A place is known by the qualified name of its function and its own syntax, so that one sample serves two
checkouts whose files have moved; what cannot be found again is listed. `reach` runs the whole suite once on a
copy in which every place notes the tests that come by, in worker processes too; a place in a compiled kernel
is noted by the functions that call the kernel. `run` plants one fault at a time, runs the tests that reach it
and stops at the first that fails. Both take the tests of `make test` alone. A survivor is a question to the
tests, not always a gap in them.
"""

import argparse
import ast
import difflib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import Queue

from workbench.report.notes import table

PACKAGES = ("generators", "learners", "workbench")
SEED = 2026
#: Seconds for the tests of one fault, which only an endless loop takes.
LIMIT = 900
#: Tests that are run for one fault at most, those of the function's own rooms first.
MOST_TESTS = 150
#: How lines of failed tests begin in pytest's summary.
FAILURES = ("FAILED ", "ERROR ")
COMPARE = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
BINARY = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult}
HITS = """
import os
_seen = set()
def hit(number):
    test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
    if test and (number, test) not in _seen:
        _seen.add((number, test))
        with open(os.environ["MUTANT_HITS"], "a") as file:
            file.write(f"{number}\\t{test}\\n")
"""


@dataclass(frozen=True)
class Place:
    """Where a fault goes: the expression that is replaced, and by what, in one function."""

    module: str
    function: str
    before: str
    after: str
    occurrence: int
    body: str

    @property
    def is_kernel(self) -> bool:
        return "_kernels" in self.module or self.module.endswith("_kernel")


@dataclass(frozen=True)
class Spot:
    """A place as found in a checkout: file, extent of the expression, and where its statement begins."""

    file: Path
    line: int
    column: int
    end_line: int
    end_column: int
    statement: tuple[int, int]


def modules(root: Path) -> Iterator[tuple[str, Path, ast.Module]]:
    for package in PACKAGES:
        for file in sorted((root / package).rglob("*.py")):
            yield ".".join(file.relative_to(root).with_suffix("").parts), file, ast.parse(file.read_text())


def functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield the functions of a module and the methods of its classes, by qualified name."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from ((f"{node.name}.{m.name}", m) for m in node.body if isinstance(m, ast.FunctionDef))


def faults(function: ast.FunctionDef) -> Iterator[tuple[ast.expr, str]]:
    """Yield each expression of a function that can be replaced, and its replacement."""
    in_text = {
        id(n) for text in ast.walk(function) if isinstance(text, ast.JoinedStr) for n in ast.walk(text)
    }
    for node in (node for statement in function.body for node in ast.walk(statement)):
        if id(node) in in_text:  # Python 3.11 does not say where these stand
            continue
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in COMPARE:
            yield node, ast.unparse(ast.Compare(node.left, [COMPARE[type(node.ops[0])]()], node.comparators))
        elif isinstance(node, ast.BinOp) and type(node.op) in BINARY and not _joins_text(node):
            yield node, ast.unparse(ast.BinOp(node.left, BINARY[type(node.op)](), node.right))
        elif isinstance(node, ast.BoolOp):
            other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield node, ast.unparse(ast.BoolOp(other, node.values))
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield node, ast.unparse(node.operand)
        elif isinstance(node, ast.Constant) and type(node.value) in (int, float) and node.value != 2**63 - 1:
            yield node, repr(node.value + 1)
        elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
            yield node, repr(not node.value)


def _joins_text(node: ast.BinOp) -> bool:
    texts = (one for side in (node.left, node.right) for one in ast.walk(side))
    return any(
        isinstance(one, ast.JoinedStr) or isinstance(getattr(one, "value", None), str) for one in texts
    )


def sample(root: Path, n: int) -> list[Place]:
    """Draw places, the same for the same checkout."""
    found = []
    for module, _, tree in modules(root):
        for name, function in functions(tree):
            body, seen = ast.unparse(function), defaultdict(int)
            for node, after in faults(function):
                before = ast.unparse(node)
                found.append(Place(module, name, before, after, seen[before, after], body))
                seen[before, after] += 1
    return random.Random(SEED).sample(found, n)


def spots(root: Path, places: list[Place]) -> list[Spot | None]:
    """Find places again, also where the file was moved; None where the function or its syntax is gone."""
    by_name = defaultdict(list)
    for module, file, tree in modules(root):
        for name, function in functions(tree):
            by_name[name].append((module, file, function))
    return [_spot(place, by_name[place.function]) for place in places]


def _spot(place: Place, candidates: list) -> Spot | None:
    def likeness(candidate: tuple[str, Path, ast.FunctionDef]) -> tuple[bool, float]:
        module, _, function = candidate
        ratio = difflib.SequenceMatcher(None, place.body, ast.unparse(function), autojunk=False).ratio()
        return module == place.module, ratio

    for _, file, function in sorted(candidates, key=likeness, reverse=True)[:1]:
        found = [n for n, after in faults(function) if (ast.unparse(n), after) == (place.before, place.after)]
        if len(found) > place.occurrence:
            node = found[place.occurrence]
            around = [s for s in ast.walk(function) if isinstance(s, ast.stmt) and s is not function]
            inner = max(
                (s for s in around if s.lineno <= node.lineno <= s.end_lineno), key=lambda s: s.lineno
            )
            place_of = (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
            return Spot(file, *place_of, (inner.lineno, inner.col_offset))
    return None


def with_fault(spot: Spot, after: str) -> str:
    """Return the source of a file with the fault."""
    lines = spot.file.read_bytes().split(b"\n")
    head = b"\n".join([*lines[: spot.line - 1], lines[spot.line - 1][: spot.column]])
    tail = b"\n".join([lines[spot.end_line - 1][spot.end_column :], *lines[spot.end_line :]])
    return (head + b"(" + after.encode() + b")" + tail).decode()


def reach(root: Path, places: list[Place], jobs: int) -> dict[int, list[str]]:
    """Run the quick tests once on a copy and list for each place the tests that came by."""
    with tempfile.TemporaryDirectory() as folder:
        copy, hits = Path(folder) / "copy", Path(folder) / "hits.tsv"
        _copy(root, copy)
        hits.touch()
        (copy / "mutant_hits.py").write_text(HITS)
        _instrument(copy, places)
        command = [sys.executable, "-m", "pytest", "-q", "--quick", "-n", str(jobs)]
        environment = _environment(copy, MUTANT_HITS=str(hits))
        done = subprocess.run(
            command, cwd=copy, env=environment, check=False, stdout=subprocess.PIPE, text=True
        )
        print(done.stdout[-5000:])
        broken = {line.split(" ")[1] for line in done.stdout.splitlines() if line.startswith(FAILURES)}
        found: dict[int, dict[str, None]] = defaultdict(dict)
        for line in hits.read_text().splitlines():
            number, _, test = line.partition("\t")
            if test not in broken:  # it would fail with any fault
                found[int(number)][test] = None
    return {number: list(tests) for number, tests in sorted(found.items())}


def _instrument(copy: Path, places: list[Place]) -> None:
    """Record which tests reach each place: before its statement, or at the start of a kernel's callers."""
    notes: dict[Path, dict[tuple[int, int], set[int]]] = defaultdict(lambda: defaultdict(set))
    found = spots(copy, places)
    callers = _callers(copy)
    for number, (place, spot) in enumerate(zip(places, found, strict=True)):
        if spot is None:
            continue
        if place.is_kernel:
            for file, line, column in callers(place.function):
                notes[file][line, column].add(number)
        elif (
            not spot.file.read_text()
            .splitlines()[spot.statement[0] - 1]
            .lstrip()
            .startswith(("elif", "else"))
        ):
            notes[spot.file][spot.statement].add(number)
    for file, at in notes.items():
        lines = file.read_text().splitlines()
        for (line, column), numbers in sorted(at.items(), reverse=True):
            lines[line - 1 : line - 1] = [
                f"{' ' * column}__import__('mutant_hits').hit({number})" for number in sorted(numbers)
            ]
        file.write_text("\n".join(lines) + "\n")


def _callers(root: Path):
    """Return a function that lists where the callers of a kernel begin, through other kernels too."""
    named, starts, kernels = defaultdict(set), {}, set()
    for module, file, tree in modules(root):
        for name, function in functions(tree):
            key = (module, name)
            if "_kernel" in module:
                kernels.add(key)
            first = (
                function.body[1]
                if ast.get_docstring(function) and len(function.body) > 1
                else function.body[0]
            )
            starts[key] = (file, first.lineno, first.col_offset)
            for node in ast.walk(function):
                called = node.id if isinstance(node, ast.Name) else getattr(node, "attr", None)
                if called:
                    named[called].add(key)

    def of(kernel: str) -> set[tuple[Path, int, int]]:
        found, waiting, seen = set(), [kernel], set()
        while waiting:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            for key in named[name]:
                if key in kernels:
                    waiting.append(key[1])
                else:
                    found.add(starts[key])
        return found

    return of


def run_all(
    root: Path, places: list[Place], reached: dict[int, list[str]], jobs: int, minutes: float
) -> dict:
    """Plant one fault at a time; return what became of each."""
    ends = time.monotonic() + 60 * minutes
    with tempfile.TemporaryDirectory() as folder:
        copies: Queue[Path] = Queue()
        for i in range(jobs):
            _copy(root, Path(folder) / str(i))
            copies.put(Path(folder) / str(i))

        def one(number: int) -> tuple[int, dict]:
            if time.monotonic() > ends:
                return number, {"state": "not run"}
            copy = copies.get()
            try:
                found = _planted(copy, places[number], reached.get(number, []))
            finally:
                copies.put(copy)
            place = places[number]
            print(number, place.function, place.before, "->", place.after, found["state"], flush=True)
            return number, found

        with ThreadPoolExecutor(jobs) as pool:
            return dict(pool.map(one, range(len(places))))


def _planted(copy: Path, place: Place, tests: list[str]) -> dict:
    (spot,) = spots(copy, [place])
    if spot is None:
        return {"state": "unmappable"}
    if not tests:
        return {"state": "not reached"}
    rooms = spot.file.relative_to(copy).parts[:-1]
    chosen = sorted(tests, key=lambda test: -sum(room in test for room in rooms))[:MOST_TESTS]
    sound = spot.file.read_text()
    spot.file.write_text(with_fault(spot, place.after))
    started = time.monotonic()
    try:
        with tempfile.TemporaryDirectory() as cache:
            fresh = {"WORKBENCH_CACHE": cache, "NUMBA_CACHE_DIR": cache} if place.is_kernel else {}
            state, failed = _fate(copy, chosen, fresh)
    finally:
        spot.file.write_text(sound)
    seconds = round(time.monotonic() - started, 1)
    return {"state": state, "by": failed, "seconds": seconds, "tests": len(tests)}


def _fate(copy: Path, tests: list[str], environment: dict[str, str]) -> tuple[str, list[str]]:
    """Run tests to the first failure."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    try:
        done = subprocess.run(
            command, cwd=copy, env=_environment(copy, **environment), capture_output=True, text=True,
            timeout=LIMIT,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return "killed by time", []
    if done.returncode == 0:
        return "survived", []
    failed = [line.split(" ")[1] for line in done.stdout.splitlines() if line.startswith(FAILURES)]
    # below zero: the process crashed, which nobody overlooks
    return "killed" if done.returncode in (1, 2) or done.returncode < 0 else "error", failed[:1]


def _copy(root: Path, to: Path) -> None:
    ignored = shutil.ignore_patterns(".git", ".venv", "build", "__pycache__", ".*_cache", "*.db")
    shutil.copytree(root, to, ignore=ignored)


def _environment(copy: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": str(copy), **more}


def report(places: list[Place], before: dict, after: dict) -> Iterator[str]:
    """Yield the lines of a page: how many were killed on each side, and every fault with another fate."""
    sides = [
        {int(number): one["state"] for number, one in side["faults"].items()} for side in (before, after)
    ]
    states = sorted({state for side in sides for state in side.values()})
    counts = [[state, *(list(side.values()).count(state) for side in sides)] for state in states]
    yield table(["", "before", "after"], counts) + "\n"
    for number, place in enumerate(places):
        fates = [side.get(number, "none") for side in sides]
        killed = [fate.startswith("killed") for fate in fates]
        if killed[0] != killed[1] or not killed[1]:
            fault = f"`{place.function}` `{place.before}` -> `{place.after}`"
            yield f"- {number}: {fault}: {' / '.join(fates)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("verb", choices=["sample", "reach", "run", "table"])
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--n", type=int, default=120)
    parser.add_argument("--sample", type=Path)
    parser.add_argument("--reached", type=Path)
    parser.add_argument("--to", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=60)
    asked = parser.parse_args()
    if asked.verb == "table":
        drawn = [Place(**one) for one in json.loads(asked.sample.read_text())]
        print("\n".join(report(drawn, *(json.loads(path.read_text()) for path in asked.paths))))
        return
    root = asked.paths[0].resolve()
    if asked.verb == "sample":
        found: object = [asdict(place) for place in sample(root, asked.n)]
    else:
        places = [Place(**one) for one in json.loads(asked.sample.read_text())]
        if asked.verb == "reach":
            found = reach(root, places, asked.jobs)
        else:
            reached = {int(n): tests for n, tests in json.loads(asked.reached.read_text()).items()}
            fates = run_all(root, places, reached, asked.jobs, asked.minutes)
            found = {"faults": fates}
    asked.to.write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
