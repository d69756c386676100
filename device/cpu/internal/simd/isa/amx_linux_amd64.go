//go:build !purego

package isa

import (
	"syscall"

	"golang.org/x/sys/cpu"
)

// Linux gives a process the state of tiles on request: the state's number, and the code of the request.
const (
	tileData          = 18
	requestPermission = 0x1023
)

// detectAMX asks Linux for permission to use AMX, which the whole process has from then on. It fails if the kernel does not know
// the tiles, or if a thread's stack for signals is too small for their 8 KiB.
func detectAMX() bool {
	if !cpu.X86.HasAMXTile || !cpu.X86.HasAMXInt8 {
		return false
	}
	_, _, err := syscall.RawSyscall(syscall.SYS_ARCH_PRCTL, requestPermission, tileData, 0)
	return err == 0
}
