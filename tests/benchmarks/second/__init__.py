"""A second maker of films, which knows nothing of the first: nothing here is from `sample_images`.

The eye was tuned on films of the first, and may have learnt what is only true in those. This one
has a camera, discs, hands, light and people of its own. Only the benchmark looks at its films.

Points are (x, y, z) in squares: x from White's left to his right, y from Red's edge of the board
to White's, both 0 to 8, and z upwards from the board.
"""
