// Package drv is CUDA's driver API, as far as cudaops needs it, by way of gorgonia.org/cu and cgo, under the tag cuda on Linux. In
// every other build its functions answer that it was built without the tag. No other package has cgo.
//
// The methods of a [Context] make it current and do their work in one call of C, so that no goroutine is bound to a thread.
package drv

import (
	"errors"
	"fmt"
)

// Handles of the driver.
type (
	Context  uintptr
	Stream   uintptr // 0 is the null stream
	Event    uintptr
	Module   uintptr
	Function uintptr
	Pointer  = uint64 // an address in a device's memory
)

// Attribute is a property of a device, with the driver's number.
type Attribute int

// Some properties.
const (
	MaxSharedMemory          Attribute = 8 // bytes that a block may have
	WarpSize                 Attribute = 10
	MultiprocessorCount      Attribute = 16
	ComputeCapabilityMajor   Attribute = 75
	ComputeCapabilityMinor   Attribute = 76
	MaxSharedMemoryByRequest Attribute = 97
)

// Error is a call that the driver, or a library, answered with a number other than 0.
type Error struct {
	Call string
	Code int
	Name string // such as CUDA_ERROR_OUT_OF_MEMORY
	Text string
}

// Error has all four.
func (e *Error) Error() string { return fmt.Sprintf("%s: %s (%d): %s", e.Call, e.Name, e.Code, e.Text) }

// Numbers of the driver's errors.
const (
	outOfMemory = 2
	notReady    = 600
)

// IsOutOfMemory reports whether err says that the device has no more memory.
func IsOutOfMemory(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == outOfMemory
}

// IsSticky reports whether err says that the context is lost: everything that is asked of it later fails, too.
func IsSticky(err error) bool {
	var e *Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Code {
	case 4, 214, 220, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 999:
		return true
	}
	return false
}
