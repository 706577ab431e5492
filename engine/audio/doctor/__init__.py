"""Is this clip good to clone from? One file a kind of fault; `examine` runs them all."""
