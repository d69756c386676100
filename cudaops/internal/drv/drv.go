// Package drv is the part of CUDA's driver API that cudaops needs. It uses gorgonia.org/cu and cgo, under the tag cuda
// on Linux. In every other build its functions return an error: built without the tag. No other package uses cgo.
//
// The methods of a [Context] make it current and do their work in one C call, so that no goroutine is bound to a
// thread.
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
	MaxSharedMemory          Attribute = 8 // bytes of shared memory that a block may use
	WarpSize                 Attribute = 10
	MultiprocessorCount      Attribute = 16
	ComputeCapabilityMajor   Attribute = 75
	ComputeCapabilityMinor   Attribute = 76
	MaxSharedMemoryByRequest Attribute = 97
)

// Error is a failed call: the driver, or a library, returned a number other than 0.
type Error struct {
	Call string
	Code int
	Name string // such as CUDA_ERROR_OUT_OF_MEMORY
	Text string
}

// Error returns all four fields.
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

// IsSticky reports whether err says that the context is lost: all later calls fail, too.
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
