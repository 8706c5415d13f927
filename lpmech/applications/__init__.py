"""What the mechanisms are used for: one room each; nothing below imports them."""
