//go:build !ios && (amd64 || arm64)

package mpi

import "unsafe"

const lastSignal = 31

// handler is C's struct sigaction.
type handler struct {
	function    uint64
	mask, flags uint32
}

func handlerOf(signal int) handler {
	h := new(handler)
	call(libc("sigaction"), uintptr(signal), 0, uintptr(unsafe.Pointer(h)))
	return *h
}

func setHandler(signal int, h handler) {
	given := &h
	call(libc("sigaction"), uintptr(signal), uintptr(unsafe.Pointer(given)), 0)
}
