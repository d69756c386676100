package caffe

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/internal/wire"
)

func values(shape []int64, v ...float32) *blob {
	return &blob{Data: wire.NumbersOf(v), Shape: &blobShape{shape}}
}

func layerOf(name, typ string, bottom, top string, blobs ...*blob) *layerMessage {
	return &layerMessage{Name: name, Type: typ, Bottom: strings.Fields(bottom), Top: strings.Fields(top), Blobs: blobs}
}

func read(t testing.TB, layers ...*layerMessage) *Net {
	t.Helper()
	data, err := wire.Marshal(&netParameter{Name: "net", Layer: layers})
	if err != nil {
		t.Fatal(err)
	}
	n, err := Read(data)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// example is relu(x·[1 2; 3 4]ᵀ + [0 -20]) in place, then its half and its softmax, and layers that never run.
func example(t testing.TB) *Net {
	half := layerOf("half", "Eltwise", "fc copy", "half")
	half.Eltwise = &eltwiseParameter{Coeff: []float32{1, -0.5}}
	return read(t, layerOf("data", "Data", "", "data"), layerOf("fc", "InnerProduct", "data", "fc", values([]int64{2, 2}, 1, 2, 3, 4), values([]int64{2}, 0, -20)),
		layerOf("relu", "ReLU", "fc", "fc"), layerOf("split", "Split", "fc", "copy other"), half, layerOf("prob", "Softmax", "other", "prob"),
		layerOf("count", "Accuracy", "prob label", "accuracy"), layerOf("end", "Sigmoid", "nowhere", "end"))
}

func TestCall(t *testing.T) {
	n := example(t)
	x := nd.FromSlice([]float32{1, 2}, 1, 2)
	got := n.Call(map[string]*nd.Array{"data": x}, []string{"fc", "half", "prob", "data"})
	prob := 1 / (1 + math.Exp(-5))
	for i, want := range []string{"[[5. 0.]]", "[[2.5 0. ]]"} {
		if fmt.Sprint(got[i]) != want {
			t.Errorf("blob %d is %v, want %s", i, got[i], want)
		}
	}
	if math.Abs(got[2].Float(0, 0)-prob) > 1e-6 || got[3] != x {
		t.Errorf("prob is %v, data %v", got[2], got[3])
	}
	if raw := n.Call(map[string]*nd.Array{"data": x}, []string{"fc"}, CallOptions{Disable: []string{"relu"}})[0]; fmt.Sprint(raw) != "[[ 5. -9.]]" {
		t.Errorf("fc without relu is %v", raw)
	}
	given := map[string]*nd.Array{"fc": nd.FromSlice([]float32{-1, 4}, 1, 2)}
	if y := n.Call(given, []string{"fc"})[0]; fmt.Sprint(y) != "[[0. 4.]]" {
		t.Errorf("a given blob after a layer in place is %v", y)
	}
	if n.Name() != "net" || len(n.Layers()) != 5 || len(n.Skipped()) != 2 || n.Skipped()[1].Reason != `layers of type "Accuracy" are not supported` {
		t.Errorf("%s: %v, skipped %v", n.Name(), n.Layers(), n.Skipped())
	}
	m, err := n.Model([]string{"data"})
	if err != nil || !slices.Contains(m.Outputs(), "prob") || slices.Contains(m.Outputs(), "end") {
		t.Errorf("outputs %v, %v", m.Outputs(), err)
	}
}

func TestCallRefuses(t *testing.T) {
	n := example(t)
	x := nd.FromSlice([]float32{1, 2}, 1, 2)
	for want, call := range map[string]func(){
		`the blob "end" cannot be computed from ["data"]`: func() { n.Call(map[string]*nd.Array{"data": x}, []string{"end"}) },
		`layers of type "Accuracy" are not supported`:     func() { n.Call(map[string]*nd.Array{"data": x}, []string{"accuracy"}) },
		`there is no layer "relus"`: func() {
			n.Call(map[string]*nd.Array{"data": x}, []string{"fc"}, CallOptions{Disable: []string{"relus"}})
		},
		`operation "fc" (InnerProduct)`: func() { n.Call(map[string]*nd.Array{"data": x.Reshape(2, 1)}, []string{"fc"}) },
	} {
		err := nd.Catch(call)
		var refused *nd.Error
		if !errors.As(err, &refused) || refused.Func != "Net.Call" || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

func TestTraining(t *testing.T) {
	bn := layerOf("bn", "BatchNorm", "data", "bn", values([]int64{2}, 2, 4), values([]int64{2}, 2, 8), values([]int64{1}, 2))
	bn.BatchNorm = &batchNormParameter{Eps: new(float32(0))}
	scale := layerOf("scale", "Scale", "bn", "scaled", values([]int64{2}, 3, 5))
	n := read(t, bn, scale)
	x := nd.FromSlice([]float32{1, 0, 3, 4}, 2, 2, 1, 1)
	if y := n.Call(map[string]*nd.Array{"data": x}, []string{"scaled"})[0]; fmt.Sprint(y.Ravel()) != "[ 0. -5.  6.  5.]" {
		t.Errorf("in evaluation %v, want (x - [1 2])/[1 2]·[3 5]", y.Ravel())
	}
	tape := grad.NewTape()
	defer tape.Release()
	params := n.Params().Watch(tape)
	y := n.Call(map[string]*nd.Array{"data": x}, []string{"scaled"}, CallOptions{Scope: params})[0]
	if fmt.Sprint(y.Detach().Ravel()) != "[-3. -5.  3.  5.]" {
		t.Errorf("in training %v, want the statistics of the batch", y.Ravel())
	}
	if g := tape.Gradient(ops.Sum(ops.Square(y)), params.Get("scale/W"))[0]; fmt.Sprint(g) != "[12. 20.]" {
		t.Errorf("gradient of the scale %v", g)
	}
	if mean := n.Params().Get("bn/avg_mean"); math.Abs(mean.Float(0)-(0.999+0.001*2)) > 1e-6 || n.Params().Param("bn/avg_mean").NeedGrad() {
		t.Errorf("the mean after training is %v", mean)
	}
	bn.BatchNorm.UseGlobalStats = true
	n = read(t, bn)
	y = n.Call(map[string]*nd.Array{"data": x}, []string{"bn"}, CallOptions{Scope: n.Params().Watch(tape)})[0]
	if fmt.Sprint(y.Detach().Ravel()) != "[ 0. -1.  2.  1.]" {
		t.Errorf("with global statistics in training %v", y.Ravel())
	}
}

// TestLayers compares layers that the recorded files do not have.
func TestLayers(t *testing.T) {
	grouped := layerOf("c", "Convolution", "data", "c", values([]int64{2, 1, 1, 1}, 2, 3))
	grouped.Convolution = &convolutionParameter{Group: new(uint32(2)), BiasTerm: new(false), KernelSize: []uint32{1}}
	reshape := layerOf("r", "Reshape", "data", "r")
	reshape.Reshape = &reshapeParameter{Shape: &blobShape{[]int64{0, -1}}}
	transposed := layerOf("t", "InnerProduct", "r", "t", values([]int64{2, 1}, 10, 1))
	transposed.InnerProduct = &innerProductParameter{Transpose: true, BiasTerm: new(false)}
	double := layerOf("s", "Scale", "data", "s", &blob{DoubleData: wire.NumbersOf([]float64{-1, 1}), Shape: &blobShape{[]int64{2}}})
	n := read(t, grouped, reshape, transposed, double)
	x := nd.FromSlice([]float32{1, 2}, 1, 2, 1, 1)
	for i, y := range n.Call(map[string]*nd.Array{"data": x}, []string{"c", "r", "t", "s"}) {
		want := []string{"[2. 6.]", "[1. 2.]", "[12.]", "[-1.  2.]"}[i]
		if fmt.Sprint(y.Ravel()) != want {
			t.Errorf("blob %d is %v, want %s", i, y, want)
		}
	}
	if w := n.Params().Get("c/W"); fmt.Sprint(w.Ravel()) != "[2. 0. 0. 3.]" {
		t.Errorf("weights in groups are %v", w)
	}
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() { n.Call(map[string]*nd.Array{"data": x}, []string{"t"}) })
	}
	wait.Wait()
}

// counting is the CPU under another name. It counts the blocks that were allocated and not released.
type counting struct {
	device.Device
	blocks atomic.Int64
}

func (*counting) Name() string { return "counting" }

func (d *counting) Alloc(bytes int) device.Memory {
	d.blocks.Add(1)
	return d.Device.Alloc(bytes)
}

func (d *counting) Free(m device.Memory) {
	d.blocks.Add(-1)
	d.Device.Free(m)
}

// TestTemporariesAreReleased calls an Eltwise layer, which adds in several steps.
func TestTemporariesAreReleased(t *testing.T) {
	sum := layerOf("sum", "Eltwise", "a b c", "sum")
	sum.Eltwise = &eltwiseParameter{Coeff: []float32{1, -2, 3}}
	n := read(t, sum)
	d := &counting{Device: nd.Zeros(nil).Device()}
	inputs := map[string]*nd.Array{}
	for i, name := range sum.Bottom {
		inputs[name] = nd.Full([]int{2}, i+1, nd.ArrayOptions{DType: dtype.Float32, Device: d})
	}
	y := n.Call(inputs, []string{"sum"})[0]
	if fmt.Sprint(y) != "[6. 6.]" || d.blocks.Load() != 4 {
		t.Errorf("the sum is %v; %d blocks are left, want 3 inputs and the sum", y, d.blocks.Load())
	}
	runtime.KeepAlive(inputs)
}

func TestReadRefuses(t *testing.T) {
	swollen := layerOf("c", "Convolution", "data", "c", values([]int64{1 << 14, 1, 1, 1}, make([]float32, 1<<14)...))
	swollen.Convolution = &convolutionParameter{Group: new(uint32(1 << 14)), BiasTerm: new(false)}
	odd := layerOf("c", "Convolution", "data", "c", values([]int64{3, 1, 1, 1}, 1, 2, 3))
	odd.Convolution = &convolutionParameter{Group: new(uint32(2))}
	for want, l := range map[string]*layerMessage{
		`layer "fc" (InnerProduct): it has no weights`:      layerOf("fc", "InnerProduct", "data", "fc"),
		`blob 1, the parameter "b", is missing`:             layerOf("fc", "InnerProduct", "data", "fc", values([]int64{1, 1}, 1)),
		`a blob of shape (2, 2) has 3 values`:               layerOf("fc", "InnerProduct", "data", "fc", values([]int64{2, 2}, 1, 2, 3)),
		`has 1 values`:                                      layerOf("fc", "InnerProduct", "data", "fc", values([]int64{1 << 40, 1 << 40}, 1)),
		`more zeros than a file of this size may need`:      swollen,
		`do not divide into 2 groups`:                       odd,
		`layer "p" (Pooling): windows of length 0`:          layerOf("p", "Pooling", "data", "p"),
		`want scores and labels`:                            layerOf("l", "SoftmaxWithLoss", "data", "y"),
		`layer "bn" (BatchNorm): blob 1, the parameter "av`: layerOf("bn", "BatchNorm", "data", "y", values([]int64{1}, 1)),
	} {
		data, err := wire.Marshal(&netParameter{Layer: []*layerMessage{l}})
		if err != nil {
			t.Fatal(err)
		}
		if want == `has 1 values` {
			want = "shape" // more elements than an int counts
		}
		if _, err := Read(data); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "caffe.Read: ") {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	if _, err := Load(filepath.Join(t.TempDir(), "none.caffemodel")); !os.IsNotExist(err) {
		t.Errorf("no file: %v", err)
	}
	if _, err := Read([]byte("no network")); err == nil {
		t.Error("a text was read")
	}
}

func FuzzRead(f *testing.F) {
	for _, n := range []*netParameter{
		{Layer: []*layerMessage{layerOf("fc", "InnerProduct", "data", "fc", values([]int64{2, 2}, 1, 2, 3, 4), values([]int64{2}, 0, 0)), layerOf("relu", "ReLU", "fc", "fc")}},
		{Layers: []*oldLayer{{Name: "c", Type: 4, Bottom: []string{"data"}, Top: []string{"c"}, Blobs: []*blob{{Num: 1, Channels: 1, Height: 1, Width: 1, Data: wire.NumbersOf([]float32{2})}},
			Convolution: &convolutionParameter{BiasTerm: new(false)}}}},
	} {
		data, err := wire.Marshal(n)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	x := nd.Ones([]int{1, 1, 2, 2})
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := Read(data)
		if err != nil {
			return
		}
		for _, l := range n.Layers() {
			_ = nd.Catch(func() { n.Call(map[string]*nd.Array{"data": x}, l.Top) })
		}
	})
}
