"""How accurate and how fast the referee is; `make bench` prints it. Nothing here is a test."""
