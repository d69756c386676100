//go:build ((linux && !android) || (darwin && !ios)) && (amd64 || arm64)

package mpi

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/ebitengine/purego"
)

// loadable says whether this system can load libraries.
const loadable = true

// loadLibrary opens a shared library. Its symbols are global, since the plugins of Open MPI look for them there.
func loadLibrary(path string) (uintptr, error) {
	return purego.Dlopen(path, purego.RTLD_LAZY|purego.RTLD_GLOBAL)
}

// symbol returns the address of a function or a variable of a library, or 0 if the library does not have it.
func symbol(handle uintptr, name string) uintptr {
	address, err := purego.Dlsym(handle, name)
	if err != nil {
		return 0
	}
	return address
}

// call calls a C function that returns an int.
//
//go:uintptrescapes
func call(function uintptr, arguments ...uintptr) int32 {
	result, _, _ := purego.SyscallN(function, arguments...)
	return int32(result)
}

// libc returns a function of C's library, which every program has that imports purego.
func libc(name string) uintptr {
	path := "libc.so.6"
	if runtime.GOOS == "darwin" {
		path = "/usr/lib/libSystem.B.dylib"
	}
	at, err := loadLibrary(path)
	if err != nil {
		panic(fmt.Sprintf("mpi: %v", err))
	}
	return symbol(at, name)
}

// setenv sets a variable of C's environment, unless it is set. Go's environment, which later processes inherit, stays as it
// is.
func setenv(name, value string) {
	n, v := append([]byte(name), 0), append([]byte(value), 0)
	call(libc("setenv"), uintptr(unsafe.Pointer(&n[0])), uintptr(unsafe.Pointer(&v[0])), 0)
}
