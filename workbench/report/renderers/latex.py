"""The report as LaTeX, with its figures as PDF files next to it."""

import re
from pathlib import Path

from workbench.base.text import printable
from workbench.report.document import Document, Picture, Text
from workbench.report.renderers.pictures import save_pictures
from workbench.report.table import Cell, Number, Table, text_of

__all__ = ["tabular", "write_latex"]

#: A table of which a line has more letters lies on its side.
MOST_LETTERS = 105
#: Letters of a cell above which its column breaks lines.
LONG_CELL = 45
#: How much of a page's height a picture may take, whose title and caption stand below it.
TALLEST = 0.8
#: What LaTeX does not take as it is.
SPECIAL = {
    **{letter: f"\\{letter}" for letter in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    "\u00b1": r"$\pm$",
    "\u2212": r"$-$",
    "\u221e": r"$\infty$",
    "\u2212\u221e": r"$-\infty$",
    "\u2013": "--",
    "\u03b5": r"$\varepsilon$",
    "\u03b7": r"$\eta$",
    "\u00b2": r"$^2$",
    "<": r"$<$",
    ">": r"$>$",
    "|": r"$|$",
    "\n": " ",
}
PREAMBLE = r"""\documentclass[a4paper,10pt]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage[margin=22mm]{geometry}
\usepackage{booktabs,graphicx,longtable,lscape}
\setlength{\tabcolsep}{4pt}
\setlength{\parindent}{0pt}
\setlength{\parskip}{6pt}
\begin{document}
"""


def write_latex(document: Document, path: Path) -> None:
    """Write a report as LaTeX that needs booktabs, graphicx, longtable and lscape."""
    folder = save_pictures(document, path, "pdf")
    lines = [rf"\section*{{{escape(document.title)}}}", *map(escape, document.lead)]
    lines += [*map(_table, document.matrices), escape(document.matrix_note)]
    lines += [_picture(picture, folder) for picture in document.pictures]
    for section in document.sections:
        lines.append(rf"\section{{{escape(section.title)}}}")
        for part in section.parts:
            if isinstance(part, Picture):
                lines.append(_picture(part, folder))
            else:
                lines.append(_table(part) if isinstance(part, Table) else _text(part))
    body = "\n\n".join([*lines, escape(document.footer)])
    path.write_text(f"{PREAMBLE}{body}\n\\end{{document}}\n", encoding="utf-8")


def tabular(table: Table) -> str:
    """Write the rows of a table as a tabular that needs booktabs, without title and note."""
    layout = "".join("r" if table.is_numeric(i) else "l" for i in range(len(table.columns)))
    head = " & ".join(escape(column) for column in table.columns)
    rows = (" & ".join(_cell(cell) for cell in row) for row in table.rows)
    lines = [rf"\begin{{tabular}}{{{layout}}}", r"\toprule", rf"{head} \\", r"\midrule"]
    lines += [*(rf"{row} \\" for row in rows), r"\bottomrule", r"\end{tabular}"]
    return "".join(f"{line}\n" for line in lines)


def escape(text: str) -> str:
    """Write text for LaTeX."""
    escaped = "".join(SPECIAL.get(letter, letter) for letter in printable(text).strip())
    return escaped.replace("$-$$", "$-")  # one formula, not two


def _picture(picture: Picture, folder: str) -> str:
    width = 1.0 if picture.wide else 0.62
    place = f"{folder}/{picture.name}.pdf"
    words = rf"\emph{{{escape(picture.title)}.}} {escape(picture.caption)}"
    return (
        rf"\begin{{center}}\includegraphics[width={width}\textwidth, height={TALLEST}\textheight, "
        rf"keepaspectratio]{{{place}}}\end{{center}}" + f"\n{words}"
    )


def _table(table: Table) -> str:
    layout = "".join(_column(table, i) for i in range(len(table.columns)))
    head = " & ".join(escape(column) for column in table.columns)
    rows = "\n".join(" & ".join(_cell(cell) for cell in row) + r" \\" for row in table.rows)
    lines = [
        rf"\textbf{{{escape(table.title)}}}",
        rf"{{\footnotesize\begin{{longtable}}{{{layout}}}",
        rf"\toprule {head} \\ \midrule \endhead",
        rows,
        r"\bottomrule\end{longtable}}",
        rf"{{\footnotesize {escape(table.note)}}}" if table.note else "",
    ]
    if sum(min(_letters(table, i), LONG_CELL) + 2 for i in range(len(table.columns))) > MOST_LETTERS:
        lines = [r"\begin{landscape}", *lines, r"\end{landscape}"]
    return "\n".join(line for line in lines if line)


def _column(table: Table, i: int) -> str:
    if table.is_numeric(i):
        return "r"
    return r"p{0.44\textwidth}" if _letters(table, i) > LONG_CELL else "l"


def _letters(table: Table, i: int) -> int:
    """Return the length of the longest line of a column's cells."""
    cells = [table.columns[i], *[row[i] for row in table.rows]]
    texts = [text_of(cell) for cell in cells]
    return max(len(line) for text in texts for line in text.split("\n"))


def _text(text: Text) -> str:
    if text.verbatim:
        # verbatim knows no way to say its own end
        content = printable(text.content).replace(r"\end{verbatim}", r"\ end{verbatim}")
        return "{\\scriptsize\\begin{verbatim}\n" + content + "\n\\end{verbatim}}"
    return re.sub("`([^`]+)`", _code, escape(text.content))


def _code(found: re.Match[str]) -> str:
    words = found[1].replace("--", "-{}-")  # two would make one long one
    return rf"\texttt{{{words}}}"


def _cell(cell: Cell) -> str:
    strong = isinstance(cell, Number) and cell.strong
    text = text_of(cell)
    lines = [rf"\textbf{{{escape(line)}}}" if strong else escape(line) for line in text.split("\n")]
    if isinstance(cell, Number) and len(lines) > 1:
        both = r" \\ ".join(lines)
        return rf"\shortstack[r]{{{both}}}"
    whole = " ".join(lines)
    # A bracket or star would be taken by the line break before it.
    return f"{{}}{whole}" if whole.startswith(("[", "*")) else whole
