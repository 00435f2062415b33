"""The rooms of the tracker: what it remembers, and what it makes of each kind of happening.

`memory` is what passes from frame to frame, `notes` what it holds of single matters; `view`,
`loose`, `crowns`, `touches`, `moves`, `offences`, `doubt`, `rivals` and `second_thoughts` each
mind one matter and are pure functions of it.
`referee.tracker` calls them in their order.
"""
