"""What the command line can do, a module per verb.

Each has `arguments(parser)`, which says what it takes, and `run(options) -> int`, the exit status.
"""
