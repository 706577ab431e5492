"""Reference results made by the official package, for `qvoice parity`."""
