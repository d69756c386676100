package isa

// LastCache returns the size of the last-level cache in bytes, or a guess if the processor does not report it.
func LastCache() int { return lastCache }

var lastCache = detectLastCache()

// usualLastCache is the guess for processors that do not report their last-level cache.
const usualLastCache = 32 << 20
