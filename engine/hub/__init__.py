"""The released models: which there are, fetching them, and whether what is on the disk is whole."""
