"""Speed against peers, as ratios measured in one run: `make bench`."""

from benchmarks import camml, simulation
from benchmarks.report import print_results

print_results([*simulation.measure(), *camml.measure()])
