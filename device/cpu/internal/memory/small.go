package memory

import (
	"sync"
	"unsafe"

	"github.com/ndgrad/ndgrad/internal/lending"
)

// Released small blocks wait in sync.Pools, which have no contention and are emptied by the GC.
var small [largestSmall + 1]sync.Pool

func takeSmall(class, bytes int) unsafe.Pointer {
	if block := small[class].Get(); block != nil {
		return block.(unsafe.Pointer)
	}
	lending.Fresh(lending.ClassSize(class))
	return newBlock(class, bytes)
}
