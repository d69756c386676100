//go:build race && !storm

package memory

import "github.com/ndgrad/ndgrad/internal/lending"

// The race detector does not know that the collector has run between the last use of a block that was forgotten and the next
// use, by another goroutine: so none is lent.
const (
	leastStored = largestSmall + 1
	leastLent   = lending.Classes
)
