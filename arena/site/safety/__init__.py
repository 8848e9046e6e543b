"""What must not reach a page: keys and personal data found, masked, or names taken away."""
