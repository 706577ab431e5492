"""Voices that ship with the program."""
