"""Everything that gives frames: devices, streams, files, and one that is made of pictures."""
