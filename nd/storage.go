package nd

import (
	"sync/atomic"

	"github.com/ndgrad/ndgrad/device"
)

// storage is one block of memory and what must be known about it by all the headers that look at it.
type storage struct {
	dev      device.Device
	mem      device.Memory
	headers  atomic.Int32  // unreleased ones; a header dropped without Release keeps it above 0 for good
	recorded atomic.Int32  // unreleased headers that a tape knows
	version  atomic.Uint32 // bumped by every write
	writer   string        // the function that wrote last, for messages
	pinned   atomic.Bool   // a slice of it left the library: it is never given back, only collected
}

func newStorage(dev device.Device, bytes int) *storage {
	return &storage{dev: dev, mem: dev.Alloc(bytes)}
}

// drop takes one header off, and gives the memory back with the last one.
func (s *storage) drop() {
	if s.headers.Add(-1) == 0 {
		if !s.pinned.Load() {
			s.dev.Free(s.mem)
		}
		s.mem = device.Memory{}
	}
}

// wrote notes a write by function fn.
func (s *storage) wrote(fn string) {
	s.version.Add(1)
	s.writer = fn
}
