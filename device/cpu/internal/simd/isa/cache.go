package isa

// LastCache returns the size of the last-level cache in bytes, and NearCache that of the second level, which a core has for
// itself; guesses if the processor does not report them.
func LastCache() int { return caches.last }

func NearCache() int { return caches.near }

// cacheSizes are sizes in bytes.
type cacheSizes struct{ near, last int }

var caches = detectCaches()

// usualCaches is the guess for processors that do not report their caches.
var usualCaches = cacheSizes{near: 1 << 20, last: 32 << 20}
