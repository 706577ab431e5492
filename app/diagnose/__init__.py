"""What a bug report needs to say."""
