package device

import "unsafe"

// Memory is an opaque handle to a block of a device's memory. Only the device that made it knows what Handle points to:
// nothing outside a backend may dereference it.
type Memory struct {
	Handle unsafe.Pointer
	Size   int // in bytes
	// Owner, if not nil, must stay reachable for as long as the block is in use: a device may reuse the block once
	// Owner is unreachable. A Memory value keeps its Owner reachable. Code that holds only an address derived from
	// Handle needs runtime.KeepAlive.
	Owner unsafe.Pointer
}

// IsNil reports whether m refers to no memory.
func (m Memory) IsNil() bool { return m.Handle == nil }
