"""Lamps, buzzer and buttons: on pins, on a keypad, in a test."""
