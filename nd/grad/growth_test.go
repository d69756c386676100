package grad_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// counting is the CPU as a separate device that counts requested bytes and points of loops.
type counting struct {
	device.Device
	work int
}

func (d *counting) Alloc(bytes int) device.Memory {
	d.work += bytes
	return d.Device.Alloc(bytes)
}

func (d *counting) Copy(l *device.Launch)        { d.work += l.Size() + 1; d.Device.Copy(l) }
func (d *counting) Elementwise(l *device.Launch) { d.work += l.Size() + 1; d.Device.Elementwise(l) }
func (d *counting) Reduce(l *device.Launch)      { d.work += l.Size() + 1; d.Device.Reduce(l) }

// TestGradientsOfManyGrowWithThem counts the resources of gradients of n and of 2n pieces: device memory and points of
// kernels at most double, and a bit. So do allocations on the host, except that recycled memory makes their number
// uneven.
func TestGradientsOfManyGrowWithThem(t *testing.T) {
	pieces := func(dev device.Device, tape *grad.Tape, n int) []*nd.Array {
		xs := make([]*nd.Array, n)
		for i := range xs {
			xs[i] = tape.Watch(nd.Ones([]int{2, 3}, nd.ArrayOptions{Device: dev}))
		}
		return xs
	}
	whole := func(dev device.Device, tape *grad.Tape, n int) *nd.Array {
		return tape.Watch(nd.Ones([]int{2 * n, 3}, nd.ArrayOptions{Device: dev}))
	}
	squares := func(parts []*nd.Array) *nd.Array {
		sum := ops.Square(parts[0])
		for _, p := range parts[1:] {
			sum = ops.Add(sum, ops.Square(p))
		}
		return sum
	}
	type made struct {
		y  *nd.Array
		xs []*nd.Array
	}
	functions := map[string]func(dev device.Device, tape *grad.Tape, n int) made{
		"Concatenate": func(dev device.Device, tape *grad.Tape, n int) made {
			xs := pieces(dev, tape, n)
			return made{ops.Square(ops.Concatenate(xs)), xs}
		},
		"Concatenate of one": func(dev device.Device, tape *grad.Tape, n int) made {
			x := whole(dev, tape, 1)
			xs := make([]*nd.Array, n)
			for i := range xs {
				xs[i] = x
			}
			return made{ops.Square(ops.Concatenate(xs)), []*nd.Array{x}}
		},
		"Stack": func(dev device.Device, tape *grad.Tape, n int) made {
			xs := pieces(dev, tape, n)
			return made{ops.Square(ops.Stack(xs, ops.Over(1))), xs}
		},
		"a sum": func(dev device.Device, tape *grad.Tape, n int) made {
			xs := pieces(dev, tape, n)
			sum := xs[0]
			for _, x := range xs[1:] {
				sum = ops.Add(sum, x)
			}
			return made{ops.Square(sum), xs}
		},
		"Split": func(dev device.Device, tape *grad.Tape, n int) made {
			x := whole(dev, tape, n)
			return made{squares(ops.Split(x, n)), []*nd.Array{x}}
		},
		"SplitAt": func(dev device.Device, tape *grad.Tape, n int) made {
			x := whole(dev, tape, n)
			at := make([]int, n-1)
			for i := range at {
				at[i] = 2*i + 1
			}
			return made{squares(ops.SplitAt(x, at)[1 : n-1]), []*nd.Array{x}}
		},
		"Unstack": func(dev device.Device, tape *grad.Tape, n int) made {
			x := whole(dev, tape, n)
			return made{squares(ops.Unstack(x)), []*nd.Array{x}}
		},
		"Split and Stack": func(dev device.Device, tape *grad.Tape, n int) made {
			x := whole(dev, tape, n)
			return made{ops.Square(ops.Stack(ops.Split(x, n))), []*nd.Array{x}}
		},
	}
	cpu, err := device.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range functions {
		for order := 1; order <= 3; order++ {
			work := func(n int) (onDevice, onHost int) {
				dev := &counting{Device: cpu}
				tape := grad.NewTape()
				defer tape.Release()
				m := f(dev, tape, n)
				dev.work = 0
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				for range order - 1 {
					gs := tape.GradientRecorded(m.y, m.xs...)
					m.y = ops.Square(gs[len(gs)-1])
				}
				tape.Gradient(m.y, m.xs...)
				runtime.ReadMemStats(&after)
				return dev.work, int(after.Mallocs - before.Mallocs)
			}
			t.Run(fmt.Sprintf("%s, order %d", name, order), func(t *testing.T) {
				const n = 100
				device1, host1 := work(n)
				device2, host2 := work(2 * n)
				if float64(device2) > 2.2*float64(device1) || float64(host2) > 3.2*float64(host1) {
					t.Errorf("%d pieces take %d on the device and %d allocations, %d take %d and %d", n, device1, host1, 2*n, device2, host2)
				}
			})
		}
	}
}

// TestManyOperandsAreNotHeld: values that an operation of many operands does not claim may be freed.
func TestManyOperandsAreNotHeld(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	x := tape.Watch(vector(1, 2))
	xs := make([]*nd.Array, 100)
	for i := range xs {
		xs[i] = ops.Add(x, x)
	}
	ops.Concatenate(xs)
	for i, x := range xs {
		if !x.IsExclusive() {
			t.Fatalf("the memory of operand %d is held", i)
		}
	}
}
