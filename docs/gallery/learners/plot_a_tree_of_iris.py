"""
What does a decision tree ask about an iris?
============================================

C4.5 asks for one measurement at a time. The bars at the leaves are the class frequencies among the
flowers that reach them.
"""

from sklearn.datasets import load_iris

from learners import C45Classifier

iris = load_iris(as_frame=True)
species = iris.target.map(dict(enumerate(iris.target_names)))
tree = C45Classifier().fit(iris.data, species)

print(tree.export_text())
tree.plot()

# %%
# Two of the four measurements are asked for: the tree needs the petals and never the sepals.

asked = [name for name in iris.data.columns if name in tree.export_text()]
print("asked for:", ", ".join(asked))
# sphinx_gallery_start_ignore
assert asked == ["petal length (cm)", "petal width (cm)"]
# sphinx_gallery_end_ignore
