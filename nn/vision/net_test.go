package vision_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	_ "github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/vision"
	"github.com/ndgrad/ndgrad/testing/assert"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// images returns n small images of random numbers.
func images(n, size int, seed uint32) *nd.Array {
	return nd.FromSlice(hashed(n*3*size*size, seed, 2), n, 3, size, size)
}

// Only layers that a requested result needs are computed.
func TestFeaturesOfNeededLayers(t *testing.T) {
	net, s := vision.GoogLeNet(), nn.NewScope()
	got := net.Features(s, images(2, 40, 1), "pool1", "conv1", "pool1")
	for k, want := range [][]int{{2, 64, 10, 10}, {2, 64, 20, 20}, {2, 64, 10, 10}} {
		if !slices.Equal(got[k].Shape(), want) {
			t.Errorf("result %d has shape %v, want %v", k, got[k].Shape(), want)
		}
	}
	if names := fmt.Sprint(s.Names()); names != "[conv1/W conv1/b]" {
		t.Errorf("created %s", names)
	}

	s = nn.NewScope()
	net.Features(s, nd.Zeros([]int{0, 3, 224, 224}), "loss1_fc2")
	has := func(name string) bool {
		return slices.ContainsFunc(s.Names(), func(n string) bool { return strings.HasPrefix(n, name) })
	}
	for name, want := range map[string]bool{"inc4a/": true, "loss1_fc2/": true, "inc4b/": false, "loss2": false, "loss3": false} {
		if has(name) != want {
			t.Errorf("%s created: %t", name, !want)
		}
	}
}

// tried is a scope of a ResNet50 whose statistics are those of a batch, for images of 32 × 32.
var tried = sync.OnceValue(func() *nn.Scope {
	s, tape := nn.NewScope(), grad.NewTape()
	vision.ResNet50().Apply(s.Watch(tape), images(4, 32, 9))
	tape.Release()
	return s
})

// Apply returns the layer prob, like Features without names: probabilities, for images of any dtype.
func TestApply(t *testing.T) {
	net, s, x := vision.ResNet50(), tried(), images(2, 32, 1)
	y := net.Apply(s, x)
	assert.Equal(t, net.Features(s, x)[0], y)
	assert.Equal(t, net.Features(s, x, "fc6", "prob")[1], y)
	assert.Equal(t, net.Apply(s, x.AsType(dtype.Float64)), y)
	assert.Equal(t, net.Apply(s, x.Flip(3).Copy().Flip(3)), y)
	assert.AllClose(t, ops.Sum(y, ops.Over(1)), nd.Ones([]int{2}), 1e-5, 0)
}

// Invalid arguments are refused before a parameter is created.
func TestFeaturesRefuse(t *testing.T) {
	zeros := func(shape ...int) *nd.Array { return nd.Zeros(shape) }
	for _, c := range []struct {
		text  string
		net   vision.Net
		x     *nd.Array
		names []string
	}{
		{`VGG16 has no layer "conv6": want one of conv1_1, conv1_2, pool1`, vision.VGG16(), zeros(1, 3, 224, 224), []string{"prob", "conv6"}},
		{`ResNet101 has no layer ""`, vision.ResNet101(), zeros(1, 3, 224, 224), []string{""}},
		{"want images of shape (B, 3, H, W)", vision.ResNet50(), zeros(3, 224, 224), nil},
		{"want images of shape (B, 3, H, W)", vision.ResNet50(), zeros(1, 1, 224, 224), nil},
		{"want images of shape (B, 3, H, W)", vision.ResNet50(), zeros(1, 3, 224, 224, 1), nil},
		{`layer "fc6" of VGG16 does not fit images of 225 × 224`, vision.VGG16(), zeros(1, 3, 224, 225), nil},
		{`layer "fc6" of VGG16 does not fit images of 224 × 192`, vision.VGG16(), zeros(1, 3, 192, 224), []string{"fc6"}},
		{`layer "conv1_1" of VGG16 does not fit images of 0 × 5`, vision.VGG16(), zeros(1, 3, 5, 0), []string{"conv1_1"}},
		{`layer "pool5" of GoogLeNet`, vision.GoogLeNet(), zeros(1, 3, 100, 100), nil},
		{`layer "loss3_fc" of GoogLeNet`, vision.GoogLeNet(), zeros(1, 3, 256, 256), nil},
		{`layer "loss2_fc2" of GoogLeNet`, vision.GoogLeNet(), zeros(1, 3, 100, 100), []string{"loss2_fc2"}},
		{`layer "pool1" of ResNet152`, vision.ResNet152(), zeros(1, 3, 2, 2), nil},
		{"want real ones, and real numbers", vision.ResNet50(), nd.Zeros([]int{1, 3, 32, 32}, dtype.Complex64), nil},
	} {
		s := nn.NewScope()
		assert.Raises(t, c.text, func() { c.net.Features(s, c.x, c.names...) })
		if s.Names() != nil {
			t.Errorf("%s: created %v", c.text, s.Names())
		}
	}
	assert.Raises(t, "18 layers: want 50, 101 or 152", func() { vision.ResNet(18) })
	refused := new(nd.Error)
	if err := nd.Catch(func() { vision.VGG16().Apply(nn.NewScope(), nil) }); !errors.As(err, &refused) {
		t.Errorf("nil: %v", err)
	}
}

// The smallest accepted images can be computed by every layer.
func TestSmallestImages(t *testing.T) {
	for _, c := range []struct {
		net  vision.Net
		size int
		last string
	}{{vision.VGG16(), 1, "pool5"}, {vision.GoogLeNet(), 17, "inception_3b"}, {vision.GoogLeNet(), 33, "inception_4a"}, {vision.ResNet50(), 1, "conv1"}, {vision.ResNet50(), 3, "prob"}} {
		for size := 1; ; size++ {
			s := nn.NewScope()
			if nd.Catch(func() { c.net.Features(s, images(1, size, 1), c.last) }) == nil {
				break
			}
			if s.Names() != nil {
				t.Errorf("%s at %d × %d was refused after parameters were created", c.last, size, size)
			}
			if size > c.size {
				t.Errorf("%s is refused at %d × %d", c.last, size, size)
				break
			}
		}
	}
}

// Evaluation writes nothing to the scope, also in several goroutines, and leaves no memory but the results.
func TestEvaluation(t *testing.T) {
	net, s, x := vision.ResNet50(), tried(), images(1, 32, 1)
	want := net.Apply(s, x)
	versions := func() (all []uint32) {
		for _, p := range s.All() {
			all = append(all, p.Value().Version())
		}
		return all
	}
	before := versions()
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			if y := net.Apply(s, x); !slices.Equal(nd.ToSlice[float32](y), nd.ToSlice[float32](want)) {
				t.Error("evaluations differ")
			}
		})
	}
	wait.Wait()
	if !slices.Equal(versions(), before) {
		t.Error("evaluation writes")
	}

	nd.CountMemory(true)
	defer nd.CountMemory(false)
	for _, y := range net.Features(s, x, "res3", "conv1", "fc6") {
		y.Release()
	}
	for _, row := range nd.MemoryByMaker() {
		if row.Bytes > 64*int64(row.Blocks) { // more than single numbers, which are left to the GC
			t.Errorf("left behind: %+v", row)
		}
	}
}

// A training step reaches all parameters, and updates the statistics; the loss decreases.
func TestTraining(t *testing.T) {
	net, s, tape, opt := vision.ResNet50(), nn.NewScope(), grad.NewTape(), optim.NewMomentum(optim.MomentumOptions{LR: 1e-3})
	x, labels := images(4, 32, 1), nd.FromSlice([]int{3, 1, 4, 1}, 4, 1)
	var losses []float32
	for range 2 {
		model := s.Watch(tape)
		y := net.Features(model, x, "fc6")[0]
		loss := ops.Mean(loss.SoftmaxCrossEntropy(y, labels))
		losses = append(losses, nd.ToSlice[float32](loss)[0])
		g := optim.GradientsOf(model, loss)
		for name := range s.Trained() {
			if gx := g.Get(name); gx == nil || !nd.ToSlice[bool](ops.All(ops.IsFinite(gx)))[0] {
				t.Errorf("%s has the gradient %v", name, gx)
			}
		}
		opt.Update(g)
		tape.Reset()
		if !y.IsReleased() {
			t.Error("the tape is reset, and its results are not released")
		}
	}
	if losses[1] >= losses[0] {
		t.Errorf("losses %v", losses)
	}
	if mean := nd.ToSlice[float32](s.Get("res5/b2/bn3/avg_mean")); slices.Max(mean) == 0 {
		t.Error("training has left the statistics as they were")
	}
	if x.IsReleased() {
		t.Error("the images are released")
	}
}

// In training dropout draws from the scope's stream; in evaluation, and with Test, it leaves values as they are.
func TestDropout(t *testing.T) {
	net, s, x := vision.GoogLeNet(), nn.NewScope(), images(1, 224, 1)
	scores := func(view *nn.Scope) []float32 { return nd.ToSlice[float32](net.Features(view, x, "loss3_fc")[0]) }
	plain := scores(s)
	train := func(seed uint64) []float32 {
		return scores(s.Watch(grad.NewTape(), nn.WatchOptions{Rand: nd.NewRand(seed)}))
	}
	if !slices.Equal(scores(s.Watch(grad.NewTape(), nn.WatchOptions{Test: true})), plain) {
		t.Error("Test drops")
	}
	one := train(1)
	if slices.Equal(one, plain) || slices.Equal(one, train(2)) || !slices.Equal(one, train(1)) {
		t.Error("dropout does not follow the stream")
	}
	assert.Raises(t, "no stream of random numbers", func() { scores(s.Watch(grad.NewTape())) })
}

// Parameters from a file are found by their names, and no others are created.
func TestLoadedParameters(t *testing.T) {
	net, s, x := vision.GoogLeNet(), nn.NewScope(nn.ScopeOptions{Rand: nd.NewRand(7)}), images(1, 40, 1)
	want := net.Features(s, x, "conv2")[0]
	file := filepath.Join(t.TempDir(), "googlenet.npz")
	if err := nn.Save(file, s); err != nil {
		t.Fatal(err)
	}
	loaded := nn.NewScope()
	if err := nn.Load(file, loaded); err != nil {
		t.Fatal(err)
	}
	assert.Equal(t, net.Features(loaded, x, "conv2")[0], want)
	assert.Raises(t, `"inc3a/conv1/W" is not among the parameters that googlenet.npz brought`, func() { net.Features(loaded, x, "inception_3a") })
	assert.Raises(t, `the parameter "conv1/b" is used here with shape`, func() {
		other := nn.NewScope()
		other.Set("conv1/b", nd.Zeros([]int{3}))
		net.Features(other, x, "conv1")
	})
	created := nn.NewScope()
	net.Features(created, nd.Zeros([]int{0, 3, 224, 224}), net.Layers()...)
	if err := nn.Load(file, created); err == nil || !strings.Contains(err.Error(), "inc3a/") {
		t.Errorf("a file that lacks parameters: %v", err)
	}
}

// Gradients of all kinds of layers agree with differences, in the dtype of the parameters. Steps are small, so that few
// of the many rectified numbers cross 0.
func TestGradients(t *testing.T) {
	for _, c := range []struct {
		net  vision.Net
		size int
		last string
	}{{vision.VGG16(), 3, "pool1"}, {vision.GoogLeNet(), 8, "conv2"}, {vision.ResNet50(), 4, "res2"}} {
		s := nn.NewScope(nn.ScopeOptions{DType: dtype.Float64})
		f := func(xs ...*nd.Array) *nd.Array { return c.net.Features(s, xs[0], c.last)[0] }
		gradcheck.Checker{Step: 1e-6}.Check(t, f, images(2, c.size, 5).AsType(dtype.Float64))
	}
}

// Images and parameters may be on any device.
func TestDevices(t *testing.T) {
	assert.OnDevices(t, func(dev device.Device) *nd.Array {
		s := nn.NewScope(nn.ScopeOptions{Device: dev})
		x := []*nd.Array{picture(8, 7, 1).To(dev), picture(9, 5, 2).To(dev)}
		return vision.ResNet50().Extract(s, x, vision.ExtractOptions{Layers: []string{"pool1"}, PrepareOptions: vision.PrepareOptions{Size: []int{6, 5}}})[0]
	}, func(t assert.TB, got, want *nd.Array) bool { return assert.AllClose(t, got, want, 1e-4, 1e-4) })
}
