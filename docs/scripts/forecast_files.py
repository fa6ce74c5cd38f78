"""Write the example files of docs/guides/forecasts.md: `python docs/scripts/forecast_files.py`.

Our learners forecast, in the formats of other programs: J48 and naive Bayes as Weka prints, TAN as R does.
Breast cancer: every second row is learned from, the others are forecast. Iris: naive Bayes in ten stratified
folds.
"""

from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import StratifiedKFold

from learners import J48Classifier, NaiveBayesClassifier, TANClassifier
from workbench.datasets import load_dataset

FOLDER = Path(__file__).resolve().parents[1] / "guides" / "forecasts"


def weka_csv(folds, classes, *, decimals):
    """Write labels and forecasts, a pair a fold, as Weka's CSV with the distribution."""
    lines = ["inst#,actual,predicted,error,distribution" + "," * (len(classes) - 1)]
    for y, y_prob in folds:
        for number, (label, row) in enumerate(zip(y, y_prob, strict=True), start=1):
            best = int(np.argmax(row))
            labels = [f"{i + 1}:{classes[i]}" for i in (classes.index(label), best)]
            error = "" if labels[0] == labels[1] else "+"
            cells = ["*" * (i == best) + weka_number(p, decimals) for i, p in enumerate(row)]
            lines.append(",".join([str(number), *labels, error, *cells]))
    return "\n".join(lines) + "\n"


def weka_number(p, decimals):
    """Round as Weka does, which leaves zeros at the end out."""
    return f"{p:.{decimals}f}".rstrip("0").rstrip(".")


def r_csv(y, y_prob, classes):
    """Write labels and forecasts as R's `write.csv(data.frame(obs = y, y_prob))` does, with 15 digits."""
    lines = [",".join(f'"{name}"' for name in ("", "obs", *classes))]
    for number, (label, row) in enumerate(zip(y, y_prob, strict=True), start=1):
        lines.append(",".join([f'"{number}"', f'"{label}"', *(f"{p:.15g}" for p in row)]))
    return "\n".join(lines) + "\n"


def forecasts(learner, X, y, X_test, classes):
    """Learn and forecast, with columns in the order of the classes."""
    fitted = learner.fit(X, y)
    return fitted.predict_proba(X_test)[:, [list(fitted.classes_).index(label) for label in classes]]


def breast_cancer():
    """Return the texts of the files of two classes, by name."""
    bunch = load_breast_cancer(as_frame=True)
    X, y, classes = bunch.data, bunch.target_names[bunch.target], bunch.target_names.tolist()
    learners = {"nb": NaiveBayesClassifier(), "j48": J48Classifier(), "tan": TANClassifier()}
    found = {key: forecasts(one, X[::2], y[::2], X[1::2], classes) for key, one in learners.items()}
    happened = y[1::2].tolist()
    return {
        "train.csv": "\n".join(["diagnosis", *y[::2]]) + "\n",
        "weka_nb.csv": weka_csv([(happened, found["nb"])], classes, decimals=3),
        "weka_nb_16.csv": weka_csv([(happened, found["nb"])], classes, decimals=16),
        "weka_j48.csv": weka_csv([(happened, found["j48"])], classes, decimals=3),
        "r_tan.csv": r_csv(happened, found["tan"], classes),
    }


def iris():
    """Return the text of the file of ten folds, by name."""
    X, y = load_dataset("iris")
    classes = y.cat.categories.tolist()
    folds = []
    for train, test in StratifiedKFold(10, shuffle=True, random_state=1).split(X, y):
        y_prob = forecasts(NaiveBayesClassifier(), X.iloc[train], y.iloc[train], X.iloc[test], classes)
        folds.append((y.iloc[test].tolist(), y_prob))
    return {"weka_iris_folds.csv": weka_csv(folds, classes, decimals=3)}


def main():
    """Write all files."""
    for name, text in {**breast_cancer(), **iris()}.items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
