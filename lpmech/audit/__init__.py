"""The privacy level of somebody else's randomizer: exact for a table, bounds with confidence for a black box."""
