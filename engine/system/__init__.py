"""What this computer has: memory, processor, devices; and what a model will need of it."""
