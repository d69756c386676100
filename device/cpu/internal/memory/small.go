package memory

import (
	"sync"
	"unsafe"

	"github.com/ndgrad/ndgrad/internal/lending"
)

// Small blocks that were given back wait in sync.Pools, which are free of contention and emptied by the collector.
var small [largestSmall + 1]sync.Pool

func takeSmall(class, bytes int) unsafe.Pointer {
	if block := small[class].Get(); block != nil {
		return block.(unsafe.Pointer)
	}
	lending.Fresh(lending.ClassSize(class))
	return newBlock(class, bytes)
}
