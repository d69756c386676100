//go:build ((linux && !android) || (darwin && !ios)) && (amd64 || arm64)

package mpi

import "github.com/ebitengine/purego"

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
