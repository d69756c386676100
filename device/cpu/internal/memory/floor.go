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

// floorArea is the area that nobody touches.
type floorArea struct {
	begun sync.Once
	at    unsafe.Pointer
	size  int
}

var floor floorArea

// set makes the area anew, after a collection, where the heap has grown or shrunk much. It is called for one at a time.
func (f *floorArea) set(h lending.Heap) {
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
		f.at, f.size = unwritten(want), want
	}
}
