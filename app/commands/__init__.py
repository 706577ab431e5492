"""What one can do, by name: every room's acts as QActions, found in the command palette and in the list of keys."""
