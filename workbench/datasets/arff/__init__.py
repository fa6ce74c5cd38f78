"""Reading and writing ARFF, the format of Weka."""

from workbench.datasets.arff.header import ArffAttribute
from workbench.datasets.arff.reading import ArffTable, load_arff, read_arff
from workbench.datasets.arff.writing import save_arff, write_arff

__all__ = ["ArffAttribute", "ArffTable", "load_arff", "read_arff", "save_arff", "write_arff"]
