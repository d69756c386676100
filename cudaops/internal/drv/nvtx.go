//go:build cuda && linux

package drv

/*
#include <stdint.h>
#include <stdlib.h>

static void mark(void *f, const char *name) { ((void (*)(const char *))f)(name); }
static uint64_t range_start(void *f, const char *name) { return ((uint64_t (*)(const char *))f)(name); }
static void range_end(void *f, uint64_t id) { ((void (*)(uint64_t))f)(id); }
*/
import "C"

import (
	"sync"
	"unsafe"
)

// nvtx holds nvtxMarkA, nvtxRangeStartA and nvtxRangeEnd, or nil if the library is not found. Unlike pushed and popped
// ranges, these ranges may end in another thread than the one that began them.
var nvtx = sync.OnceValue(func() []unsafe.Pointer {
	handle, err := library("libnvToolsExt")
	if err != nil {
		return nil
	}
	found, err := symbols(handle, "nvtxMarkA", "nvtxRangeStartA", "nvtxRangeEnd")
	if err != nil {
		return nil
	}
	return found
})

// Mark marks a moment in profilers.
func Mark(name string) {
	if f := nvtx(); f != nil {
		text := C.CString(name)
		defer C.free(unsafe.Pointer(text))
		C.mark(f[0], text)
	}
}

// RangeStart begins a range in profilers.
func RangeStart(name string) uint64 {
	f := nvtx()
	if f == nil {
		return 0
	}
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	return uint64(C.range_start(f[1], text))
}

// RangeEnd ends a range.
func RangeEnd(id uint64) {
	if f := nvtx(); f != nil {
		C.range_end(f[2], C.uint64_t(id))
	}
}
