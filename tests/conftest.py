"""Settings for the whole suite."""

from __future__ import annotations

from hypothesis import settings

# A failing test must fail again, and a busy machine must not fail any.
settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.load_profile("repeatable")
