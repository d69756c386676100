//go:build cuda && linux

package drv

// #include <dlfcn.h>
// #include <stdlib.h>
import "C"

import (
	"fmt"
	"os"
	"path/filepath"
	"unsafe"
)

// library opens the newest version of a shared library of the CUDA toolkit. It searches by name, then in
// $NDGRAD_CUDA_LIBS, in $CUDA_PATH and in the toolkit's usual folders.
func library(name string) (unsafe.Pointer, error) {
	folders := append([]string{""}, filepath.SplitList(os.Getenv("NDGRAD_CUDA_LIBS"))...)
	if path := os.Getenv("CUDA_PATH"); path != "" {
		folders = append(folders, filepath.Join(path, "lib64"))
	}
	folders = append(folders, "/usr/local/cuda/lib64")
	for _, folder := range folders {
		for _, version := range []string{".so.13", ".so.12", ".so.1", ".so"} {
			path := filepath.Join(folder, name+version)
			if folder != "" {
				if _, err := os.Stat(path); err != nil {
					continue
				}
				// NVRTC does not find its built-ins library by itself if it is opened by its path.
				halves, _ := filepath.Glob(filepath.Join(folder, name+"-builtins.so*"))
				for _, half := range halves {
					open(half)
				}
			}
			if handle := open(path); handle != nil {
				return handle, nil
			}
		}
	}
	return nil, fmt.Errorf("%s is not found: it is part of CUDA's toolkit", name)
}

func open(path string) unsafe.Pointer {
	text := C.CString(path)
	defer C.free(unsafe.Pointer(text))
	return C.dlopen(text, C.RTLD_NOW|C.RTLD_GLOBAL)
}

// symbols looks functions up. It fails unless all of them exist.
func symbols(handle unsafe.Pointer, names ...string) ([]unsafe.Pointer, error) {
	var all []unsafe.Pointer
	for _, name := range names {
		text := C.CString(name)
		f := C.dlsym(handle, text)
		C.free(unsafe.Pointer(text))
		if f == nil {
			return nil, fmt.Errorf("the library has no %s", name)
		}
		all = append(all, f)
	}
	return all, nil
}
