"""New voice: a recorded or imported sound is listened to, cloned and saved."""
