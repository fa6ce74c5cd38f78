"""What a document and a table look like: HTML, Markdown, LaTeX, CSV, and lines in a terminal."""
