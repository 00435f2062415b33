"""`referee doctor`: what this computer has, what it lacks, and what to do about it."""
