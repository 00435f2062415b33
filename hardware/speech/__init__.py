"""Words and sounds made into what a loudspeaker plays."""
