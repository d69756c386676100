package cudaops

import (
	"errors"
	"testing"

	"github.com/ndgrad/ndgrad/cudaops/internal/drv"
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// gpu returns the first device. Without a device it skips the test with the reason.
func gpu(t testing.TB, name string) *Device {
	t.Helper()
	if err := Err(); err != nil {
		t.Skip(err)
	}
	dev, err := device.Get(name)
	if err != nil {
		t.Skip(err)
	}
	d, err := Of(dev)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestTrainingStepWaitsOnce trains a network like that of the digits example. A step waits once, to read the loss, and
// asks the driver for no memory.
func TestTrainingStepWaitsOnce(t *testing.T) {
	d := gpu(t, "cuda:0")
	params := nn.NewScope(nn.ScopeOptions{Device: d, Rand: nd.NewRand(1)})
	x := nd.Ones([]int{32, 64}, nd.ArrayOptions{DType: dtype.Float32, Device: d})
	labels := nd.Zeros([]int{32}, nd.ArrayOptions{DType: dtype.Int64, Device: d})
	opt := optim.NewAdam()
	tape := grad.NewTape()
	step := func() {
		model := params.Watch(tape)
		h := ops.ReLU(nn.Affine(model.Sub("fc1"), x, 128))
		l := ops.Mean(loss.SoftmaxCrossEntropy(nn.Affine(model.Sub("fc2"), h, 10), labels))
		g := optim.GradientsOf(model, l)
		g.WeightDecay(1e-4)
		opt.Update(g)
		l.Float()
		tape.Reset()
	}
	for range 5 {
		step()
	}
	const steps = 20
	waits, asked := d.waits.Load(), d.memory.asked
	for range steps {
		step()
	}
	if n := d.waits.Load() - waits; n != steps {
		t.Errorf("%d steps waited %d times for the device, want one each", steps, n)
	}
	if n := d.memory.asked - asked; n != 0 {
		t.Errorf("%d steps asked the driver %d times for memory", steps, n)
	}
}

// TestIndexErrorIsReported checks that a bad index is reported once, by the next call that waits, with the function and
// the index.
func TestIndexErrorIsReported(t *testing.T) {
	d := gpu(t, "cuda:0")
	x := nd.Arange(0, 5, 1, nd.ArrayOptions{Device: d})
	bad := nd.FromSliceOn(d, []int64{1, 7, 9})
	y := ops.Take(x, bad)
	err := nd.Catch(func() { nd.ToSlice[float64](x) })
	var refused *nd.Error
	var index *device.IndexError
	if !errors.As(err, &refused) || !errors.As(err, &index) || refused.Func != "ops.Take" || index.Index != 7 || index.Size != 5 {
		t.Errorf("a copy reports %v", err)
	}
	if err := d.Synchronize(); err != nil {
		t.Errorf("the error is reported twice: %v", err)
	}
	y.Release()
	ops.Take(x, bad).Release()
	if err := d.Synchronize(); !errors.As(err, &index) || index.Func != "ops.Take" {
		t.Errorf("Synchronize reports %v", err)
	}
	d.blocking = true
	defer func() { d.blocking = false }()
	if err := nd.Catch(func() { ops.Take(x, bad) }); !errors.As(err, &index) {
		t.Errorf("a call that waits returns %v", err)
	}
}

// TestFaultsStay checks that after a fault of the device every call fails with it, and that nothing hangs.
func TestFaultsStay(t *testing.T) {
	d := gpu(t, "cuda:2")
	if name, err := d.Model(); err != nil || name != "emulator of a GPU" {
		t.Skip("only the emulator can be made to fail")
	}
	x := nd.Ones([]int{10}, nd.ArrayOptions{Device: d})
	f, err := d.context.Function(mustLoad(t, d), "emulator_fault")
	if err != nil {
		t.Fatal(err)
	}
	if err := d.context.Launch(f, 1, 1, 1, 1, 1, 1, 0, d.stream, nil, 0); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		err := nd.Catch(func() { nd.ToSlice[float64](ops.Add(x, x)) })
		var fault *device.Fault
		if !errors.As(err, &fault) {
			t.Errorf("after a fault: %v", err)
		}
	}
	if err := d.Synchronize(); err == nil {
		t.Error("Synchronize does not return the earlier fault")
	}
}

func mustLoad(t *testing.T, d *Device) drv.Module {
	m, err := d.context.LoadModule([]byte("\x00"))
	if err != nil {
		t.Fatal(err)
	}
	return m
}
