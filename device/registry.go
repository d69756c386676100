package device

import (
	"bytes"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
)

var registry = struct {
	sync.Mutex
	entries map[string]*entry
	waiting map[string]*entry // by goroutine: the device that it waits for while another goroutine opens that device
}{entries: map[string]*entry{}, waiting: map[string]*entry{}}

// entry is a registered device. The registry's lock guards it.
type entry struct {
	open   func() (Device, error)
	device Device
	opener string        // the goroutine that is opening it; empty if none
	opened chan struct{} // closed when the opening has ended
}

// Register makes a device known by name; open is called once, at the first [Get]. Registering a name twice panics.
func Register(name string, open func() (Device, error)) {
	registry.Lock()
	defer registry.Unlock()
	if registry.entries[name] != nil {
		panic("device: Register called twice for " + name)
	}
	registry.entries[name] = &entry{open: open}
}

// Get returns the device with that name. The first call opens it. Opening a device may open other devices, but not,
// directly or through them, the device itself: that is an error.
func Get(name string) (Device, error) {
	registry.Lock()
	defer registry.Unlock()
	e := registry.entries[name]
	if e == nil {
		return nil, fmt.Errorf("device: no device %q; registered: %v", name, names())
	}
	for e.device == nil {
		self := goroutine()
		if e.opener == "" {
			return e.make(name, self)
		}
		if e.waitsFor(self) {
			return nil, fmt.Errorf("device: opening %q needs %q itself", name, name)
		}
		registry.waiting[self] = e
		opened := e.opened
		registry.Unlock()
		<-opened
		registry.Lock()
		delete(registry.waiting, self)
	}
	return e.device, nil
}

// make opens the device. The caller holds the lock; make releases it while it opens the device.
func (e *entry) make(name, self string) (Device, error) {
	e.opener, e.opened = self, make(chan struct{})
	registry.Unlock()
	var d Device
	var err error
	defer func() { // also if open panics
		registry.Lock()
		e.device, e.opener = d, ""
		close(e.opened)
	}()
	if d, err = e.open(); err != nil {
		d = nil
		return nil, fmt.Errorf("device: opening %q: %w", name, err)
	}
	return d, nil
}

// waitsFor reports whether the goroutine is opening the device, or whether the goroutine that is opening it waits for
// that goroutine, directly or through others.
func (e *entry) waitsFor(goroutine string) bool {
	for ; e != nil && e.opener != ""; e = registry.waiting[e.opener] {
		if e.opener == goroutine {
			return true
		}
	}
	return false
}

// goroutine returns the name of the calling goroutine. The runtime tells it only in stack traces.
func goroutine() string {
	trace := make([]byte, 64) // goroutine 1 [running]:
	trace = trace[:runtime.Stack(trace, false)]
	number, _, _ := bytes.Cut(bytes.TrimPrefix(trace, []byte("goroutine ")), []byte(" "))
	return string(number)
}

// Opened returns the devices that were opened, ordered by name.
func Opened() []Device {
	registry.Lock()
	defer registry.Unlock()
	var all []Device
	for _, name := range names() {
		if d := registry.entries[name].device; d != nil {
			all = append(all, d)
		}
	}
	return all
}

// Names lists the registered devices.
func Names() []string {
	registry.Lock()
	defer registry.Unlock()
	return names()
}

func names() []string { return slices.Sorted(maps.Keys(registry.entries)) }
