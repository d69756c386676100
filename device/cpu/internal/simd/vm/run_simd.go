//go:build (amd64 || arm64) && !purego

package vm

import (
	"strings"
	"sync"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

// table holds the addresses of the handlers for one vector width and one lane width; 0 if there is no handler.
type table [handlerCount]uintptr

var tables [2][2]table // by the width of vectors, and of lanes

var filling sync.Once

func fillTables() {
	handlersAVX2F32((*[handlerCount]uintptr)(&tables[0][0]))
	handlersAVX2F64((*[handlerCount]uintptr)(&tables[0][1]))
	if isa.Best < isa.AVX512 {
		return
	}
	handlersAVX512F32((*[handlerCount]uintptr)(&tables[1][0]))
	handlersAVX512F64((*[handlerCount]uintptr)(&tables[1][1]))
}

// target chooses the vector width, and reports whether there are handlers for the processor.
func (c *Code) target() bool {
	if isa.Current() == isa.Generic {
		return false
	}
	filling.Do(fillTables)
	c.wide = isa.Current() == isa.AVX512
	c.lanes = c.slotSize() / 4
	if c.double {
		c.lanes /= 2
	}
	return true
}

// slotSize returns the size of a slot in bytes: a handler's vectors.
func (c *Code) slotSize() int {
	if c.wide {
		return depth * 64
	}
	return depth * 32
}

const _ uint = tailBytes - 2*depth*32 // the copy of a tail holds all that an AVX2 handler reads from a stream

// handlers returns the handler with a name and its handler for tails; 0 if there is none. AVX2 has no separate handlers
// for tails.
func (c *Code) handlers(name string) (main, tail uintptr) {
	t := &tables[scalar.OneIf[int](c.wide)][scalar.OneIf[int](c.double)]
	main = t.find(name)
	if !c.wide || main == 0 {
		return main, main
	}
	return main, t.find(inTail(name))
}

func (t *table) find(name string) uintptr {
	if i := handlerNumber(name); i >= 0 {
		return t[i]
	}
	return 0
}

// inTail returns the name of the handler that replaces another in a tail.
func inTail(name string) string {
	switch {
	case name == "end" || name == "storewhere":
		return name + "tail"
	case name == "store.past":
		return "store.tail"
	case strings.HasPrefix(name, "load") && !strings.Contains(name, "."), strings.HasPrefix(name, "store") && !strings.Contains(name, "."):
		return name + ".tail"
	}
	operation, form, _ := strings.Cut(name, ".")
	if form == "" {
		return name
	}
	return operation + "." + strings.ReplaceAll(form, "stream", "tail")
}

func (r *frame) enter(c *Code) {
	f := (*uint64)(unsafe.Pointer(r))
	switch {
	case c.wide && c.double:
		runAVX512F64(f)
	case c.wide:
		runAVX512F32(f)
	case c.double:
		runAVX2F64(f)
	default:
		runAVX2F32(f)
	}
}

func (r *frame) resume(c *Code) {
	f := (*uint64)(unsafe.Pointer(r))
	switch {
	case c.wide && c.double:
		resumeAVX512F64(f)
	case c.wide:
		resumeAVX512F32(f)
	case c.double:
		resumeAVX2F64(f)
	default:
		resumeAVX2F32(f)
	}
}

// everySecond4 and everySecond8 copy leading elements of n elements that lie 2 apart, and return how many. The routines
// also read the element after each copied one, so they must not copy the last one, which may end its block.
//
//go:noinline
func everySecond4(dst, src unsafe.Pointer, n int) int {
	switch isa.Current() {
	case isa.AVX512:
		if n = (n - 1) &^ 15; n > 0 {
			everySecondAVX512F32(n, (*byte)(dst), (*byte)(src))
		}
	case isa.AVX2:
		if n = (n - 1) &^ 7; n > 0 {
			everySecondAVX2F32(n, (*byte)(dst), (*byte)(src))
		}
	default:
		return 0
	}
	return max(n, 0)
}

//go:noinline
func everySecond8(dst, src unsafe.Pointer, n int) int {
	switch isa.Current() {
	case isa.AVX512:
		if n = (n - 1) &^ 7; n > 0 {
			everySecondAVX512F64(n, (*byte)(dst), (*byte)(src))
		}
	case isa.AVX2:
		if n = (n - 1) &^ 3; n > 0 {
			everySecondAVX2F64(n, (*byte)(dst), (*byte)(src))
		}
	default:
		return 0
	}
	return max(n, 0)
}
