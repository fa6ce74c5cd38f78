"""What commands print: tables and lines, built from one analysis each."""
