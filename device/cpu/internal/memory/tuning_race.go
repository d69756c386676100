//go:build race && !storm

package memory

import "github.com/ndgrad/ndgrad/internal/lending"

// The race detector does not know that a GC cycle has run between the last use of a dropped block and the next use by
// another goroutine: so dropped blocks are not recycled.
const (
	leastStored   = largestSmall + 1
	leastRecycled = lending.Classes
)
