"""The two ends of what pyproject.toml allows: the lowest versions that it names, and the newest that exist.

``python tests/bounds.py constraints`` prints constraints.txt with every version that pyproject.toml bounds
from below replaced by that bound; ``python tests/bounds.py sample`` runs the tests that `make lowest` and
`make newest` run.
"""

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BOUND = re.compile(r"([A-Za-z0-9_.-]+)(?:\[[^]]*\])?>=([0-9.]+)")
SAMPLE = (
    "contract", "generators/files", "generators/test_golden.py", "learners/tables", "learners/test_base.py",
    "workbench/cli", "workbench/figures", "workbench/report", "workbench/store",
)  # fmt: skip
CLUSTER = "workbench/engine/test_dask.py"
#: Other packages warn of each other's versions; ours must not cause a warning.
WARNINGS = (
    "error",
    "ignore::DeprecationWarning",
    "ignore::PendingDeprecationWarning",
    "ignore::FutureWarning",
    "error:::(generators|learners|workbench)[.]",
)


def lowest() -> dict[str, str]:
    """Return the lowest version of every package that running needs, extras included."""
    project = tomllib.loads(ROOT.joinpath("pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    found = dict(bound_of(line) for group in groups for line in group)
    # Dask and its scheduler are released together, with the same number
    return found | {"dask": found["distributed"]}


def bound_of(line: str) -> tuple[str, str]:
    """Read the name and the lower bound of a line such as ``"pandas>=2.2.2"``."""
    found = BOUND.match(line)
    if found is None:
        raise ValueError(f"{line!r} has no lower bound: write it as NAME>=VERSION")
    return found[1], found[2]


def pinned() -> dict[str, str]:
    """Return the versions of constraints.txt."""
    lines = ROOT.joinpath("constraints.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split("==") for line in lines if line and not line.startswith("#"))


def constraints() -> Iterator[str]:
    """Yield the lines of the lowest versions; of what they need in turn, those of constraints.txt."""
    bounds = lowest()
    names = {name.lower() for name in bounds}
    yield from (f"{name}=={version}" for name, version in bounds.items())
    yield from (f"{name}=={version}" for name, version in pinned().items() if name.lower() not in names)


def sample() -> int:
    """Run the sample on what is installed, not on the working tree."""
    import pytest

    options = [
        *("-c", str(ROOT / "pyproject.toml"), "--rootdir", str(ROOT), "-q", "-n", "2"),
        *("-o", "filterwarnings=" + "\n".join(WARNINGS)),
    ]
    places = [str(ROOT / "tests" / place) for place in SAMPLE]
    return pytest.main([*options, "--quick", *places]) or pytest.main(
        [*options, str(ROOT / "tests" / CLUSTER)]
    )


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["constraints"]:
            print(*constraints(), sep="\n")
        case ["sample"]:
            sys.exit(sample())
        case _:
            sys.exit("usage: python tests/bounds.py constraints, or: python tests/bounds.py sample")
