//go:build !purego && amd64 && ((linux && !android) || (darwin && !ios))

package mpi

import "unsafe"

// runBatch is the address of a function in C's convention, which runs the batch that is its argument.
var runBatch uintptr

// run makes the calls, all in one transition.
func (b *batch) run() { call(runBatch, uintptr(unsafe.Pointer(b))) }
