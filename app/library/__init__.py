"""The library: browse, search, tag, preview, import, export, delete with undo."""
