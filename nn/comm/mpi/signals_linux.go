//go:build !android && (amd64 || arm64)

package mpi

import (
	"syscall"
	"unsafe"
)

const lastSignal = 64

// handler is the kernel's struct sigaction, which C's library shows in another form.
type handler struct{ function, flags, restorer, mask uint64 }

func handlerOf(signal int) (h handler) {
	_, _, _ = syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(signal), 0, uintptr(unsafe.Pointer(&h)), unsafe.Sizeof(h.mask), 0, 0)
	return h
}

func setHandler(signal int, h handler) {
	_, _, _ = syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(signal), uintptr(unsafe.Pointer(&h)), 0, unsafe.Sizeof(h.mask), 0, 0)
}
