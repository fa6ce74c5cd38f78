"""What a paper prints: tables, rows and cells of a file of TOML and its CSV files."""
