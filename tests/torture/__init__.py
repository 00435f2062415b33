"""Faults done to the referee on purpose, as often as is asked for: `make torture`.

Each kind has a module with `run(tries, seed, room, tick) -> Tally`. `make test` runs a short slice
of each, and each once more with its cure taken out, which must be found out.
"""
