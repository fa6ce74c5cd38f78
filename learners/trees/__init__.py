"""Classification trees, one file each, and what they share; `learners` exports them."""
