"""Microphones and loudspeakers over PortAudio: devices, a recorder, a player. Importing it loads nothing."""
