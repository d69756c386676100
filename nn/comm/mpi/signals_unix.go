//go:build ((linux && !android) || (darwin && !ios)) && (amd64 || arm64)

package mpi

import (
	"runtime"
	"unsafe"

	"github.com/ebitengine/purego"
)

// lastSignal is the highest number of a signal on Linux.
const lastSignal = 64

// handlers holds one struct sigaction of C for each signal. The largest known has 152 bytes.
type handlers [lastSignal + 1][256]byte

// libc returns a function of C's library, which is part of every program that imports purego.
func libc(name string) uintptr {
	handle, err := purego.Dlopen(libcName(), purego.RTLD_LAZY|purego.RTLD_GLOBAL)
	if err != nil {
		return 0
	}
	return symbol(handle, name)
}

func libcName() string {
	if runtime.GOOS == "darwin" {
		return "/usr/lib/libSystem.B.dylib"
	}
	return "libc.so.6"
}

// saveHandlers remembers how the process handles each signal, and returns a function that restores it. Go's runtime needs
// its own handlers: SIGSEGV makes a panic, SIGURG preempts goroutines, and SIGPROF takes profiles. A handler without
// SA_ONSTACK ends a Go process, because it runs on the small stack of a goroutine.
func saveHandlers() (restore func()) {
	sigaction := libc("sigaction")
	if sigaction == 0 {
		return func() {}
	}
	saved := new(handlers)
	var known [lastSignal + 1]bool
	for signal := 1; signal <= lastSignal; signal++ {
		known[signal] = call(sigaction, uintptr(signal), 0, uintptr(unsafe.Pointer(&saved[signal]))) == 0
	}
	return func() {
		for signal := 1; signal <= lastSignal; signal++ {
			if known[signal] { // C refuses SIGKILL and SIGSTOP, and those that it uses itself
				call(sigaction, uintptr(signal), uintptr(unsafe.Pointer(&saved[signal])), 0)
			}
		}
		runtime.KeepAlive(saved)
	}
}

// setenv sets a variable of C's environment, unless it is set. Go's environment and that of later processes stay as they
// are.
func setenv(name, value string) {
	function := libc("setenv")
	if function == 0 {
		return
	}
	n, v := append([]byte(name), 0), append([]byte(value), 0)
	call(function, uintptr(unsafe.Pointer(&n[0])), uintptr(unsafe.Pointer(&v[0])), 0)
	runtime.KeepAlive(n)
	runtime.KeepAlive(v)
}
