"""A program that learns as naive Bayes does, or fails in one of the ways in which programs do.

python fake_program.py WAY TRAIN TEST [PREDICTIONS]
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path


def nominal_table(path):
    """Return the declared values of each attribute of an ARFF file, and its rows."""
    declared, rows = [], []
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        if line.startswith("@attribute"):
            declared.append(line[line.index("{") + 1 : -1].split(","))
        elif line and not line.startswith("@"):
            rows.append(line.split(","))
    return declared, rows


def naive_bayes(train, test):
    """Return the classes, and a distribution for each row: counts that start at 1, as those of nb do."""
    declared, rows = nominal_table(train)
    classes, forecasts = declared[-1], []
    for new in nominal_table(test)[1]:
        joint = []
        for one in classes:
            own = [row for row in rows if row[-1] == one]
            share = (len(own) + 1) / (len(rows) + len(classes))
            for j, value in enumerate(new[:-1]):
                if value != "?":
                    known = [row[j] for row in own if row[j] != "?"]
                    share *= (known.count(value) + 1) / (len(known) + len(declared[j]))
            joint.append(share)
        forecasts.append([share / sum(joint) for share in joint])
    return classes, forecasts


def as_csv(classes, forecasts):
    return "\n".join([",".join(classes), *(",".join(map(repr, row)) for row in forecasts)]) + "\n"


def as_weka(classes, forecasts):
    lines = [
        "=== Predictions on test data ===",
        "",
        "inst#,actual,predicted,error,distribution," + "," * (len(classes) - 2),
    ]
    for i, row in enumerate(forecasts, start=1):
        best = row.index(max(row))
        starred = ["*" * (j == best) + f"{share:.17f}" for j, share in enumerate(row)]
        lines.append(f"{i},1:?,{best + 1}:{classes[best]},,{','.join(starred)}")
    return "\n".join(lines) + "\n"


def changed(way, classes, forecasts):
    """Return the forecasts with the mistake that was asked for."""
    last = forecasts[-1]
    return {
        "fewer rows": (classes, forecasts[:-1]),
        "more rows": (classes, [*forecasts, last]),
        "other classes": ([f"other_{one}" for one in classes], forecasts),
        "a class less": (classes[:-1], [row[:-1] for row in forecasts]),
        "NaN": (classes, [*forecasts[:-1], [float("nan"), *last[1:]]]),
        "infinite": (classes, [*forecasts[:-1], [float("inf"), *last[1:]]]),
        "negative": (classes, [*forecasts[:-1], [-0.25, *last[1:]]]),
        "sums": (classes, [*forecasts[:-1], [share / 2 for share in last]]),
    }.get(way, (classes, forecasts))


def main(way, train, test, predictions=None):
    print("warming up", "done", sep="\n", file=sys.stderr)
    if way == "exit code":
        print("no such option: -Z", file=sys.stderr)
        sys.exit(3)
    if way == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if way == "nothing":
        return
    if way.startswith(("children", "endless")):
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        with open(os.environ["FAKE_PIDS"], "a", encoding="utf-8") as file:
            print(os.getpid(), child.pid, file=file)
    if way == "endless":
        time.sleep(600)
    if way == "stderr":
        for _ in range(100):
            sys.stderr.write("x" * 99 + "\n" * 1 + ("y" * 99 + "\n") * 10_000)
        print("out of ideas", file=sys.stderr)
        sys.exit(1)
    if way == "a lot of stderr":
        sys.stderr.write(("y" * 99 + "\n") * 1_000_000)
    if way == "binary":
        sys.stdout.buffer.write(bytes(range(256)) * 16)
        return
    if way == "text":
        print("Usage: fake [OPTION]... TRAIN TEST")
        return
    found = changed(way, *naive_bayes(train, test))
    written = as_weka(*found) if predictions is None else as_csv(*found)
    if predictions is None:
        sys.stdout.write(written)
    elif way != "no file":
        Path(predictions).write_text(written, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
