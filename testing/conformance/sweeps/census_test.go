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

// census is the CPU under another name, which knows the blocks that were taken and not given back, and who took them. nd holds
// every array on it in a block, however small.
type census struct {
	device.Device
	sync.Mutex
	out   map[unsafe.Pointer]taking
	count int
}

// taking is a block that is out: the how manieth it was, and from where it was taken.
type taking struct {
	number, bytes int
	callers       [48]uintptr
}

// Name returns "census".
func (*census) Name() string { return "census" }

// Alloc notes the block.
func (d *census) Alloc(bytes int) device.Memory {
	m := d.Device.Alloc(bytes)
	if m.Size == 0 {
		return m
	}
	d.Lock()
	defer d.Unlock()
	d.count++
	t := taking{number: d.count, bytes: bytes}
	runtime.Callers(2, t.callers[:])
	d.out[m.Handle] = t
	return m
}

// Free crosses the block out.
func (d *census) Free(m device.Memory) {
	d.Lock()
	delete(d.out, m.Handle)
	d.Unlock()
	d.Device.Free(m)
}

// forget starts a new count.
func (d *census) forget() { d.out, d.count = map[unsafe.Pointer]taking{}, 0 }

// left returns an error about the blocks that are out. An adapter of the catalogue may drop its arguments, and what a function
// gave it, which is one block for each of its calls.
func (d *census) left(adapter bool) error {
	var all []taking
	for _, t := range d.out {
		all = append(all, t)
	}
	slices.SortFunc(all, func(a, b taking) int { return a.number - b.number })
	from := map[string]int{}
	for _, t := range all {
		call, _ := t.way()
		from[call]++
	}
	var ways []string
	for _, t := range all {
		call, way := t.way()
		if adapter && (way == argument || call != "" && from[call] == 1) {
			continue
		}
		ways = append(ways, way)
	}
	if ways == nil {
		return nil
	}
	return fmt.Errorf("%d blocks of %d are not given back, taken by %s", len(ways), d.count, strings.Join(slices.Compact(ways), "; "))
}

// argument is the way of a block that no function took.
const argument = "an argument"

// way is how the function that was called came to take the block, and where an adapter called it.
func (t taking) way() (call, way string) {
	frames := runtime.CallersFrames(t.callers[:])
	var path []string
	for {
		f, _ := frames.Next()
		name := f.Function[strings.LastIndex(f.Function, "/")+1:]
		switch {
		case name == "catalogue.Place" || strings.HasPrefix(name, "sweeps."):
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
