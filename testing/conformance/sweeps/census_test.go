package sweeps

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
)

// census is the CPU under another name. It records the blocks that are allocated and not freed, and who allocated them.
// Package nd holds every array on this device in a block, however small.
type census struct {
	device.Device
	sync.Mutex
	out   map[unsafe.Pointer]allocation
	count int
}

// allocation is an allocated block: its number, and where it was allocated.
type allocation struct {
	number, bytes int
	callers       [48]uintptr
}

// Name returns "census".
func (*census) Name() string { return "census" }

// Alloc records the block.
func (d *census) Alloc(bytes int) device.Memory {
	m := d.Device.Alloc(bytes)
	if m.Size == 0 {
		return m
	}
	d.Lock()
	defer d.Unlock()
	d.count++
	t := allocation{number: d.count, bytes: bytes}
	runtime.Callers(2, t.callers[:])
	d.out[m.Handle] = t
	return m
}

// Free removes the block from the record.
func (d *census) Free(m device.Memory) {
	d.Lock()
	delete(d.out, m.Handle)
	d.Unlock()
	d.Device.Free(m)
}

// forget starts a new count.
func (d *census) forget() { d.out, d.count = map[unsafe.Pointer]allocation{}, 0 }

// unfreed returns an error about the blocks that are not freed. An adapter of the catalogue may drop its arguments and the
// results of the functions that it calls, one block for each call.
func (d *census) unfreed(adapter bool) error {
	var all []allocation
	for _, t := range d.out {
		all = append(all, t)
	}
	slices.SortFunc(all, func(a, b allocation) int { return a.number - b.number })
	from := map[string]int{}
	for _, t := range all {
		call, _ := t.origin()
		from[call]++
	}
	var ways []string
	for _, t := range all {
		call, way := t.origin()
		if adapter && (way == argument || call != "" && from[call] == 1) {
			continue
		}
		ways = append(ways, way)
	}
	if ways == nil {
		return nil
	}
	return fmt.Errorf("%d of %d blocks are not freed, allocated by %s", len(ways), d.count, strings.Join(slices.Compact(ways), "; "))
}

// argument is the origin of a block that no function allocated.
const argument = "an argument"

// origin returns how the called function came to allocate the block, and where an adapter called it.
func (t allocation) origin() (call, way string) {
	frames := runtime.CallersFrames(t.callers[:])
	var path []string
	for {
		f, _ := frames.Next()
		name := f.Function[strings.LastIndex(f.Function, "/")+1:]
		switch {
		case name == "catalogue.OnDevice" || strings.HasPrefix(name, "sweeps."):
			return "", argument
		case strings.HasPrefix(name, "catalogue.") || strings.HasPrefix(name, "reflect.") || name == "":
			slices.Reverse(path)
			if len(path) > 0 && strings.HasPrefix(name, "catalogue.") && name != "catalogue.(*call).differentiate.func1" {
				call = fmt.Sprintf("%s:%d %s", name, f.Line, path[0])
			}
			return call, strings.Join(path, " > ")
		case name != "nd.Func.alloc" && name != "nd.allocate" && name != "nd.Func.NewLike":
			path = append(path, fmt.Sprintf("%s:%d", name, f.Line))
		}
	}
}
