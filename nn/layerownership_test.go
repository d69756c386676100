package nn_test

import (
	"sync"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nn"
)

// census is the CPU under another name. It knows the blocks that were allocated and not released.
type census struct {
	device.Device
	sync.Mutex
	out map[unsafe.Pointer]bool
}

func (*census) Name() string { return "census" }

func (d *census) Alloc(bytes int) device.Memory {
	m := d.Device.Alloc(bytes)
	if m.Size > 0 {
		d.Lock()
		defer d.Unlock()
		d.out[m.Handle] = true
	}
	return m
}

func (d *census) Free(m device.Memory) {
	d.Lock()
	delete(d.out, m.Handle)
	d.Unlock()
	d.Device.Free(m)
}

// The tape that watches the parameters owns what a layer computes, even if no tape tracks its operands.
func TestResultsBelongToTheTapeOfTheParameters(t *testing.T) {
	for _, l := range allLayers() {
		params, tape, in := nn.NewScope(), grad.NewTape(), l.operands(nd.ArrayOptions{})
		for step := range 2 {
			results := l.call(params.Watch(tape, nn.WatchOptions{Rand: nd.NewRand(1)}), in)
			tape.Reset()
			trains := false
			for range params.Trained() {
				trains = true
			}
			for i, y := range results {
				if trains && !y.IsReleased() {
					t.Errorf("%s: after step %d its result %d is not released", l.name, step, i)
				}
			}
		}
		for i, x := range in {
			if x.IsReleased() {
				t.Errorf("%s: its operand %d is released", l.name, i)
			}
		}
	}
}

// If the parameters exist, and the results are released, neither an evaluation nor a training step leaves any memory.
func TestLayersLeaveNoGarbage(t *testing.T) {
	cpu, err := device.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range allLayers() {
		dev := &census{Device: cpu, out: map[unsafe.Pointer]bool{}}
		on := nd.ArrayOptions{Device: dev}
		in := l.operands(on)
		params, tape := nn.NewScope(nn.ScopeOptions{Device: dev}), grad.NewTape()
		evaluate := func() arrays { return l.call(params, in) }
		train := func() arrays { return l.call(params.Watch(tape, nn.WatchOptions{Rand: nd.NewRand(1)}), in) }
		evaluate()
		for _, y := range train() { // a state of INQ allocates what it keeps
			y.Release()
		}
		tape.Reset()
		for i, call := range []func() arrays{evaluate, train, train, evaluate} {
			clear(dev.out)
			for _, y := range call() {
				y.Release()
			}
			if tape.Reset(); len(dev.out) > 0 {
				t.Errorf("%s: counted call %d leaves %d blocks", l.name, i+1, len(dev.out))
			}
		}
	}
}
