"""How the networks of the eye learn, from drawn and path-traced scenes. Needs the `train` extra."""
