"""Games without pixels: people with habits, an eye with faults, and a score for the referee.

    python -m referee.simulation --games 200 --seed 1

plays random lawful games move by move as hands do it, looks at them through a noisy eye at 3 to
20 frames a second, and counts what the referee got right. The truth is written down while the
scene is made; the referee sees observations only. Nothing here knows a constant of the tracker.
"""
