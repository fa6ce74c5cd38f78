"""Make a benchmark: a folder of models with known truth, rows and exact posteriors."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from workbench.base.checks import check_jobs
from workbench.base.errors import WorkbenchError
from workbench.benchmark.columns import digest_of_bytes
from workbench.benchmark.folder.journal import HALF_WRITTEN, JOURNAL, Journal
from workbench.benchmark.folder.manifest import MANIFEST, README, Manifest, made_with
from workbench.benchmark.folder.model_files import write_model
from workbench.benchmark.folder.readme import readme_of, refusals_text
from workbench.benchmark.loading import Benchmark, load
from workbench.benchmark.plan import BenchmarkPlan
from workbench.engine.progress import Silent, for_the_reader

__all__ = ["generate", "make"]


def generate(
    source: str,
    out: str | Path,
    *,
    models: int | None = None,
    rows: int = 1000,
    test: int = 1000,
    seed: int = 0,
    format: str = "parquet",
    parameters: Mapping[str, Any] | None = None,
    class_name: str | None = None,
    n_jobs: int = 1,
) -> Benchmark:
    """Make a benchmark with known truth in a folder, or resume an interrupted one.

    Parameters
    ----------
    source : str
        A generator's key, such as "tan" (`workbench list generators`), or ``"module:function"``, the path of
        a network, ``.json``, ``.bif``, ``.xml`` or ``.net``, or ``"suite:NAME"``, such as "suite:bias-v1".
    out : str or Path
        A new or empty folder, or one that already has this benchmark.
    models : int, optional
        Number of models. The default is 10 for a generator, 1 for a network, and all truths of a suite. All
        models of a network have the same truth, unless it is altered, and different rows.
    rows, test : int, default 1000
        Training and test rows of each model. At most a million rows are in memory.
    seed : int, default 0
        Seed of truths and rows. A study of a `Source` with the same generator, parameters, seed and sizes has
        the same truths and rows, up to a million rows.
    format : {"parquet", "csv", "arff"}
        File format of the rows.
    parameters : mapping, optional
        As in a study's source: parameters of the generator, alterations (parameters of `generators.altered`),
        and bounds such as ``bayes_error``. A network or suite takes only alterations, which are drawn anew
        for each model.
    class_name : str, optional
        The class variable of a network in a file.
    n_jobs : int, default 1
        Processes that make models in parallel, -1 for one per core. The files do not depend on this number.

    Returns
    -------
    Benchmark
        An iterable of the models, each with truth, rows and posterior.

    Raises
    ------
    WorkbenchError
        If an argument cannot be used, or the folder has other content.

    See Also
    --------
    workbench.benchmark.load : Opens an existing folder.
    workbench.benchmark.verify : Verifies a folder.

    Notes
    -----
    The same arguments and versions give the same files, byte by byte. Files outside the folder are not
    changed.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made = generate("tan", folder, models=2, rows=50, test=20, seed=7, format="csv")
    ...     [(model.name, model.X_train.shape[0], model.posterior.shape[0]) for model in made]
    [('tan-000', 50, 20), ('tan-001', 50, 20)]
    """
    given = dict(parameters or {})
    plan = BenchmarkPlan(source, models, rows, test, seed, format, given, class_name)
    return make(plan, Path(out), for_the_reader("rows"), n_jobs)


def make(plan: BenchmarkPlan, folder: Path, progress: Silent, n_jobs: int = 1) -> Benchmark:
    """Make the benchmark of a plan, reporting progress in rows. See `generate`."""
    jobs = check_jobs(n_jobs)
    if (folder / MANIFEST).exists():
        return _made_already(plan, folder)
    if not (folder / JOURNAL).exists():
        plan.first  # noqa: B018 - raises before anything is written
    versions = made_with()
    journal = Journal(folder, {"made": plan.describe(), "versions": versions}, plan.names)
    with journal:
        _write_models(plan, journal, progress, jobs)
        _finish(plan, folder, versions, journal, progress)
    return load(folder)


def _write_models(plan: BenchmarkPlan, journal: Journal, progress: Silent, jobs: int) -> None:
    missing = [number for number, name in enumerate(plan.names) if name not in journal.entries]
    rows_each = int(plan.rows) + int(plan.test)
    progress.start(len(missing) * rows_each, len(journal.entries) * rows_each)
    try:
        if jobs == 1 or len(missing) < 2:
            for number in missing:
                journal.add(write_model(plan, number, journal.part(plan.names[number]), progress))
            return
        import joblib

        # as they are complete, so that an interruption loses none of these
        made = joblib.Parallel(n_jobs=jobs, return_as="generator_unordered")(
            joblib.delayed(write_model)(plan, number, journal.part(plan.names[number]), Silent())
            for number in missing
        )
        for entry in made:
            journal.add(entry)
            progress.advance(rows_each, 0)
    finally:
        progress.stop()


def _made_already(plan: BenchmarkPlan, folder: Path) -> Benchmark:
    found = load(folder)
    if found.made != plan.describe():
        raise WorkbenchError(f"{folder} contains another benchmark: name another folder, --out FOLDER")
    (folder / JOURNAL).unlink(missing_ok=True)  # interrupted at the very end
    return found


def _finish(
    plan: BenchmarkPlan, folder: Path, versions: dict[str, Any], journal: Journal, progress: Silent
) -> None:
    entries = [journal.entries[name] for name in plan.names]
    cards = [json.loads((folder / name / "card.json").read_text(encoding="utf-8")) for name in plan.names]
    if refusals := refusals_text(cards):
        progress.note(refusals)
    readme = readme_of(plan.describe(), entries, cards).encode()
    (folder / README).write_bytes(readme)
    manifest = Manifest(plan.describe(), versions, tuple(entries), digest_of_bytes(readme))
    half_written = folder / HALF_WRITTEN
    half_written.write_text(manifest.text(), encoding="utf-8")
    os.replace(half_written, folder / MANIFEST)
    journal.close()
