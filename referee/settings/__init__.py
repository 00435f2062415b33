"""What a user may set, and where it was set: in `referee.toml` or on the command line."""
