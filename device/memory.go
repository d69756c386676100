package device

import "unsafe"

// Memory is an opaque handle to a block of a device's memory. Only the device that made it knows what Handle points to:
// nothing outside a backend may follow it.
type Memory struct {
	Handle unsafe.Pointer
	Size   int // in bytes
}

// IsNil reports whether m is no memory at all.
func (m Memory) IsNil() bool { return m.Handle == nil }
