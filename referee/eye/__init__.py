"""The eye: from a picture to what each square looks like, and how sure that is."""
