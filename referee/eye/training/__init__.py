"""How the two networks of the eye learn, from drawn scenes alone. Needs the `train` extra."""
