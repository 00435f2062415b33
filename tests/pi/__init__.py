"""The Raspberry Pi's camera without a Raspberry Pi: a stand-in, and the real library (`make
test-pi`)."""
