package device

import "unsafe"

// Memory is an opaque handle to a block of a device's memory. Only the device that made it knows what Handle points to:
// nothing outside a backend may follow it.
type Memory struct {
	Handle unsafe.Pointer
	Size   int // in bytes
	// Owner, if not nil, has to be reachable for as long as the block is in use: a device may lend the block to somebody else
	// when it is not. Who holds the Memory holds it; who holds only an address made of Handle needs runtime.KeepAlive.
	Owner unsafe.Pointer
}

// IsNil reports whether m is no memory at all.
func (m Memory) IsNil() bool { return m.Handle == nil }
