package memory

import (
	"math"
	"runtime"
	"sync"
	"unsafe"

	"github.com/ndgrad/ndgrad/internal/lending"
)

// The runtime starts a GC cycle when the heap has doubled, but not before 4 MiB: with a small heap, that is after every
// few arrays. An area that nobody touches, and that thus occupies no physical memory, raises the heap to a floor, so
// that a cycle starts after about as many new bytes as the floor has. Package lending requests some cycles earlier.
// These cost less, because the runtime's own cycles run beside the program, on its processors.
const (
	floorEach = 16 << 20 // per processor
	mostFloor = 64 << 20
	leastArea = 1 << 20
)

// heapFloor is the area that nobody touches.
type heapFloor struct {
	begun sync.Once
	at    unsafe.Pointer
	size  int
}

var floor heapFloor

// set reallocates the area after a GC cycle, if the heap has grown or shrunk much. Calls of set do not overlap.
func (f *heapFloor) set(h lending.Heap) {
	want := min(floorEach*runtime.GOMAXPROCS(0), mostFloor)
	if h.Limit != math.MaxInt {
		want = min(want, h.Limit/16)
	}
	want = max(0, want-max(0, h.Live-f.size))
	if h.Few {
		want = 0
	}
	if want >= f.size/2 && want <= f.size+f.size/4 {
		return
	}
	f.at, f.size = nil, 0
	if want >= leastArea {
		f.at, f.size = reserve(want), want
	}
}
