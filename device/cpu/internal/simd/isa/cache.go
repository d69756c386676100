package isa

// LastCache is the size of the last-level cache in bytes, or a guess where the processor does not say.
func LastCache() int { return lastCache }

var lastCache = detectLastCache()

// usualLastCache is the guess.
const usualLastCache = 32 << 20
