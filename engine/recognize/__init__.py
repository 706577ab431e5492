"""What a speech recogniser understands of a sound, where one is installed; nothing here is ever fetched."""
