"""Published values: tables, rows and cells of a TOML file and its CSV files."""
