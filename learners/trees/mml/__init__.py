"""Trees and graphs of shortest message (MML): their cost in bits, growth, and search for joins."""
