"""The room "Speak": text in, takes out."""
