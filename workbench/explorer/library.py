"""The library that draws: D3, read from an installed package, at one version only."""

from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from workbench.base.errors import WorkbenchError

__all__ = ["Library", "read_library"]

PACKAGE, PLACE, VERSION = "mpld3", "mpld3/js/d3.v5.min.js", "5.7.0"
DIGEST = "bdad5585ef9a965ff25458738309b006058c55f2c78d794d25fbecae35014609"
MEND = 'install it with `pip install "mpld3>=0.5.10,<0.6"`'


@dataclass(frozen=True)
class Library:
    """A script, where it is from, and the license of the package that it came with."""

    script: str  # as it was published, with the copyright in its first line
    source: str  # version, copyright and package, in words
    license: str


def read_library() -> Library:
    """Read D3; raise WorkbenchError if it is not there, or is another version."""
    try:
        package = distribution(PACKAGE)  # which imports nothing of it, as its module would load matplotlib
        content = Path(str(package.locate_file(PLACE))).read_bytes()
    except (PackageNotFoundError, OSError) as error:
        raise WorkbenchError(
            f"the explorer needs D3 {VERSION}, which comes with the package {PACKAGE}: {MEND}"
        ) from error
    if sha256(content).hexdigest() != DIGEST:
        raise WorkbenchError(
            f"{PACKAGE} {package.version} has another D3 than {VERSION}, the one that the explorer is tested "
            f"with: {MEND}"
        )
    source = f"D3 {VERSION}, copyright 2018 Mike Bostock, from the package {PACKAGE} {package.version}"
    # where the license lies beside a package differs between its versions
    beside = next((file for file in package.files or () if file.name == "LICENSE"), None)
    return Library(content.decode("utf-8"), source, beside.read_text() if beside is not None else "")
