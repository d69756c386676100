package memory

import (
	"math"
	"runtime"
	"sync"
	"unsafe"

	"github.com/ndgrad/ndgrad/internal/lending"
)

// The runtime collects when the heap has doubled, at the earliest after 4 MiB: with a small heap, whenever a few arrays were
// made. An area that nobody touches, which thus takes no memory, lifts the heap to a floor, so that there is a collection
// after about as many new bytes, but for those that package lending asks for earlier, which cost less: the runtime's run beside
// the program, on its processor.
const (
	floorEach = 16 << 20 // for a processor
	mostFloor = 64 << 20
	leastArea = 1 << 20
)

var floor struct {
	begun sync.Once
	area  unsafe.Pointer
	size  int
}

// setFloor makes the area anew, after a collection, where the heap has grown or shrunk much. It is called for one at a time.
func setFloor(h lending.Heap) {
	want := min(floorEach*runtime.GOMAXPROCS(0), mostFloor)
	if h.Limit != math.MaxInt {
		want = min(want, h.Limit/16)
	}
	want = max(0, want-max(0, h.Live-floor.size))
	if h.Few {
		want = 0
	}
	if want >= floor.size/2 && want <= floor.size+floor.size/4 {
		return
	}
	floor.area, floor.size = nil, 0
	if want >= leastArea {
		floor.area, floor.size = unwritten(want), want
	}
}
