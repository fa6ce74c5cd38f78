"""Run the Python examples of the README in a temporary folder, as a user who installed the package would.

    python docs/scripts/run_readme.py

Needs only the package. Prints the seconds of each example, and ends with exit code 1 at the first that fails.
"""

import os
import re
import tempfile
import time
from pathlib import Path

README = Path(__file__).resolve().parents[2] / "README.md"


def main() -> None:
    """Run all examples one after another, in one namespace."""
    examples = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), flags=re.DOTALL)
    names: dict[str, object] = {"__name__": "__main__"}
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for i, example in enumerate(examples, start=1):
            begun = time.monotonic()
            exec(compile(example, f"README.md, example {i}", "exec"), names)
            print(f"example {i}: {time.monotonic() - begun:.1f} s")
        os.chdir(README.parent)


if __name__ == "__main__":
    main()
