package device_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/ref"
)

var registered atomic.Int32

// newName returns a name that no device has: tests may run several times in one process.
func newName() string { return fmt.Sprint("test ", registered.Add(1)) }

// TestGetOpensOnce calls Get from many goroutines at once.
func TestGetOpensOnce(t *testing.T) {
	var opened atomic.Int32
	name := newName()
	device.Register(name, func() (device.Device, error) {
		opened.Add(1)
		return ref.New(), nil
	})
	var group sync.WaitGroup
	found := make([]device.Device, 20)
	for k := range found {
		group.Go(func() { found[k], _ = device.Get(name) })
	}
	group.Wait()
	for _, d := range found {
		if d == nil || d != found[0] {
			t.Fatal("Get returned two devices for one name")
		}
	}
	if opened.Load() != 1 {
		t.Errorf("the device was opened %d times", opened.Load())
	}
}

// TestGetReportsFailure checks that Get returns the error and opens the device again next time: a device may be plugged
// in.
func TestGetReportsFailure(t *testing.T) {
	broken := errors.New("no driver")
	fail := true
	name := newName()
	device.Register(name, func() (device.Device, error) {
		if fail {
			return nil, broken
		}
		return ref.New(), nil
	})
	if _, err := device.Get(name); !errors.Is(err, broken) || !strings.Contains(err.Error(), name) {
		t.Errorf("got %v", err)
	}
	fail = false
	if _, err := device.Get(name); err != nil {
		t.Errorf("the second time: %v", err)
	}
}

// TestOpeningMayGetOthers: opening a device may open others, but neither the device itself nor one that waits for it.
func TestOpeningMayGetOthers(t *testing.T) {
	inner, outer, self := newName(), newName(), newName()
	device.Register(inner, func() (device.Device, error) { return ref.New(), nil })
	device.Register(outer, func() (device.Device, error) { return device.Get(inner) })
	device.Register(self, func() (device.Device, error) { return device.Get(self) })
	a, err := device.Get(outer)
	if b, _ := device.Get(inner); err != nil || a == nil || a != b {
		t.Errorf("got %v (%v), want the device that %s is", a, err, inner)
	}
	for range 2 {
		if _, err := device.Get(self); err == nil || !strings.Contains(err.Error(), self) {
			t.Errorf("a device that needs itself: %v", err)
		}
	}
	var names [2]string
	var met sync.WaitGroup
	met.Add(2)
	for k := range names {
		names[k] = newName()
		first := sync.OnceFunc(func() { met.Done(); met.Wait() })
		device.Register(names[k], func() (device.Device, error) {
			first() // each goroutine opens one device before it requests the other
			return device.Get(names[1-k])
		})
	}
	var group sync.WaitGroup
	var errs [2]error
	for k, name := range names {
		group.Go(func() { _, errs[k] = device.Get(name) })
	}
	group.Wait()
	for k, err := range errs {
		if err == nil {
			t.Errorf("device %s, which needs one that needs it, was opened", names[k])
		}
	}
}

// TestOpeningMayPanic: after a panic, the next Get opens the device again.
func TestOpeningMayPanic(t *testing.T) {
	name, first := newName(), true
	device.Register(name, func() (device.Device, error) {
		if first {
			first = false
			panic("no driver")
		}
		return ref.New(), nil
	})
	func() {
		defer func() {
			if e := recover(); e != "no driver" {
				t.Errorf("panicked with %v", e)
			}
		}()
		device.Get(name)
	}()
	if d, err := device.Get(name); d == nil || err != nil {
		t.Errorf("the second time: %v, %v", d, err)
	}
}

func TestGetOfUnknownNamesWhatThereIs(t *testing.T) {
	_, err := device.Get("test unknown")
	if err == nil || !strings.Contains(err.Error(), `"test unknown"`) || !strings.Contains(err.Error(), "ref") {
		t.Errorf("got %v", err)
	}
}

func TestRegisterTwicePanics(t *testing.T) {
	name := newName()
	defer func() {
		if e := recover(); e == nil || !strings.Contains(fmt.Sprint(e), name) {
			t.Errorf("panicked with %v", e)
		}
	}()
	device.Register(name, func() (device.Device, error) { return nil, nil })
	device.Register(name, func() (device.Device, error) { return nil, nil })
}

func TestNamesAreSorted(t *testing.T) {
	names := device.Names()
	if !slices.IsSorted(names) || !slices.Contains(names, "ref") {
		t.Errorf("%v", names)
	}
}

// bare is a backend with no kernels.
type bare struct{ device.Base }

// TestBaseHasNoKernels: each kernel of the vocabulary panics with its own name.
func TestBaseHasNoKernels(t *testing.T) {
	kernels := reflect.TypeFor[device.Kernels]()
	base := reflect.ValueOf(bare{})
	for k := range kernels.NumMethod() {
		name := kernels.Method(k).Name
		func() {
			defer func() {
				if e, ok := recover().(*device.Unsupported); !ok || e.Kernel != name {
					t.Errorf("%s panicked with %v", name, e)
				}
			}()
			base.MethodByName(name).Call([]reflect.Value{reflect.ValueOf(device.NewLaunch())})
		}()
	}
}

func TestErrorsSayWhatHappened(t *testing.T) {
	cause := errors.New("all used")
	err := error(&device.OutOfMemory{Bytes: 12, Err: cause})
	if !errors.Is(err, cause) || !strings.Contains(err.Error(), "12 bytes: all used") {
		t.Errorf("%v", err)
	}
	if text := (&device.IndexError{Index: -9, Size: 3}).Error(); text != "index -9 is outside an axis of length 3" {
		t.Error(text)
	}
	if text := (&device.Unsupported{Kernel: "Sort"}).Error(); !strings.Contains(text, "Sort") {
		t.Error(text)
	}
}
