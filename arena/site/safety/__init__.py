"""What must not reach a page: keys and personal data are found, and texts changed everywhere."""
