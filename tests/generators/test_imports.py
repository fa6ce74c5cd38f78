"""The package loads nothing heavy until a verb needs it."""

import subprocess
import sys


def test_importing_and_sampling_codes_loads_numpy_only():
    script = (
        "import sys, generators\n"
        "truth = generators.random_aode(random_state=0)\n"
        "truth.posterior(truth.sample_codes(5, 1)[:, :-1]); truth.enumerate().joint\n"
        "names = 'pandas', 'scipy', 'networkx', 'numba', 'pgmpy', 'sklearn'\n"
        "print([name for name in names if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
