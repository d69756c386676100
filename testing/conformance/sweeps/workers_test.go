package sweeps

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// stepByStep are functions that make as many calls as their arguments have elements, or squared elements, or sequence
// steps.
var stepByStep = map[string]bool{
	"chainer.links.NStepLSTM": true, "chainer.links.NStepBiLSTM": true, "chainer.links.NStepGRU": true, "chainer.links.NStepRNNReLU": true,
	"chainer.links.NStepRNNTanh": true, "chainer.links.NStepBiRNNReLU": true, "chainer.links.NStepBiRNNTanh": true,
	"numpy.poly": true, "numpy.polydiv": true, "numpy.polymul": true, "numpy.polyval": true, "numpy.roots": true,
	"numpy.apply_along_axis": true, "nnabla.functions.rnn": true, "numpy.ufunc.reduce": true, "numpy.ufunc.accumulate": true, "numpy.ufunc.reduceat": true,
}

// TestSweepWorkers compares one worker with eight: on the given arguments, and with the arguments repeated along their
// first axis until they are long enough to be split among workers. The tests of device/cpu split every kernel. The
// second comparison is done once per function, whatever its names.
func TestSweepWorkers(t *testing.T) {
	const long = 100_000
	defer cpu.SetWorkers(cpu.SetWorkers(1))
	done := map[string]bool{}
	sweep(t, func(s *subject) error {
		compare := func(how setting) error {
			cpu.SetWorkers(1)
			one := s.call(how)
			cpu.SetWorkers(8)
			return s.differs(s.call(how), one, identical)
		}
		if anyContent[s.c.Function] == "is not filled" {
			return nil
		}
		if err := compare(setting{}); err != nil {
			return err
		}
		largest := s.largestArgument()
		name := s.functionName()
		if strings.HasPrefix(s.c.Function, "torch.special.") {
			return nil // programs with a slow opcode are split like all others
		}
		if done[name] || stepByStep[s.c.Function] || largest == nil || largest.Rank() == 0 || largest.Size() == 0 || !s.growsEvenly(largest) {
			return nil
		}
		times := long/largest.Size() + 1
		if err := compare(s.tiled(largest, times)); err != nil {
			return fmt.Errorf("repeated %d times: %w", times, err)
		}
		done[name] = true
		return nil
	})
}

// functionName returns the name of the Go function, or the documented name if the row has an adapter.
func (s *subject) functionName() string {
	name := runtime.FuncForPC(reflect.ValueOf(s.fn.Row.Func).Pointer()).Name()
	if strings.Contains(name, "/catalogue.") {
		return s.c.Function
	}
	return name
}

func (s *subject) largestArgument() *nd.Array {
	var largest *nd.Array
	for _, path := range s.plain.paths {
		if x := s.plain.args[path]; largest == nil || x.Size() > largest.Size() {
			largest = x
		}
	}
	return largest
}

// tiled repeats all arguments with the shape of like along the first axis.
func (s *subject) tiled(like *nd.Array, times int) setting {
	reps := slices.Repeat([]int{1}, like.Rank())
	reps[0] = times
	return setting{edit: func(_ string, x *nd.Array) *nd.Array {
		if slices.Equal(x.Shape(), like.Shape()) {
			return ops.Tile(x, reps...)
		}
		return x
	}}
}

// growsEvenly reports whether the function accepts repeated arguments, and its results grow no faster than these.
func (s *subject) growsEvenly(like *nd.Array) bool {
	var sizes [4]int
	for times := 1; times < len(sizes); times++ {
		o := s.call(s.tiled(like, times))
		if o.err != nil {
			return false
		}
		for _, r := range o.results {
			if y, ok := r.(*nd.Array); ok && y != nil {
				sizes[times] += y.Size()
			}
		}
	}
	return sizes[3]-sizes[2] <= sizes[2]-sizes[1]
}

// copiesToHost are the functions whose document says that the result is in host memory. The recorded cases of
// chainer.functions.copy have the host as the destination.
var copiesToHost = map[string]bool{
	"cupy.asnumpy": true, "cupy.ndarray.get": true, "cupy.ndarray.__array__": true, "chainer.functions.copy": true,
}

// TestSweepDevices compares the reference device, whose memory the host cannot see, with the CPU.
func TestSweepDevices(t *testing.T) {
	ref := mustDevice(t, "ref")
	cpu := mustDevice(t, "cpu")
	sweep(t, func(s *subject) error {
		home := ref
		if copiesToHost[s.c.Function] {
			home = cpu
		}
		for k, layout := range layouts {
			if k > 0 && len(s.plain.paths) == 0 {
				break // no array to lay out
			}
			how := setting{edit: func(_ string, x *nd.Array) *nd.Array { return layout.of(x) }}
			want := s.call(how)
			how.device = ref
			got := s.call(how)
			for i, r := range got.results {
				if y, ok := r.(*nd.Array); ok && y != nil && len(got.paths) > 0 && y.Device() != home {
					return fmt.Errorf("%s: result %d is on %s, want %s", layout.name, i, y.Device().Name(), home.Name())
				}
			}
			for _, t := range s.dtypes() {
				same := s.deviceComparer(t)
				if err := s.differs(got, want, same); err != nil {
					return fmt.Errorf("%s: %w", layout.name, err)
				}
			}
		}
		return nil
	})
}
