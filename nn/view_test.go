package nn_test

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// imageNet is a small network with statistics and dropout.
func imageNet(s *nn.Scope, x *nd.Array) *nd.Array {
	h := nn.Convolution(s.Sub("c"), x, 4, []int{3, 3}, nn.ConvolutionOptions{Pad: []int{1}, WithBias: new(false)})
	h = ops.ReLU(nn.BatchNormalization(s.Sub("c"), h))
	return nn.Affine(s.Sub("fc"), nn.Dropout(s, h, 0.5), 3)
}

// fingerprint is a hash of all values of a scope.
func fingerprint(s *nn.Scope) string {
	h := sha256.New()
	for name, p := range s.All() {
		fmt.Fprintln(h, name, p.Value().DType(), p.Value().Shape(), floats(p.Value()))
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

func images(n int) *nd.Array {
	return ops.Sin(nd.Arange(0, float64(n*2*5*5), 1, dtype.Float32)).Reshape(n, 2, 5, 5)
}

// A call with the scope itself evaluates, in any number of goroutines.
func TestEvaluationWritesNothing(t *testing.T) {
	params, x := nn.NewScope(), images(4)
	want := floats(imageNet(params, x))
	before := fingerprint(params)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 3 {
				if got := floats(imageNet(params, x)); !cmp.Equal(got, want) {
					t.Error("evaluations differ")
				}
			}
		})
	}
	wait.Wait()
	if fingerprint(params) != before {
		t.Error("evaluation changed the parameters")
	}
}

func TestTrainingIsAView(t *testing.T) {
	params, x := nn.NewScope(), images(4)
	evaluated := floats(imageNet(params, x))
	if params.Training() {
		t.Error("a scope trains without Watch")
	}
	tape := grad.NewTape()
	model := params.Watch(tape, nn.WatchOptions{Rand: nd.NewRand(3)})
	if !model.Training() || !model.Sub("c").Training() || !model.Fixed().Training() {
		t.Error("a watched scope does not train")
	}
	before := fingerprint(params)
	if got := floats(imageNet(model, x)); cmp.Equal(got, evaluated) {
		t.Error("training computes what evaluation does")
	}
	if fingerprint(params) == before {
		t.Error("training left the statistics as they were")
	}
	refused(t, "WatchOptions", func() { imageNet(params.Watch(tape), x) })

	before = fingerprint(params)
	want := floats(imageNet(params, x))
	tuned := params.Watch(tape, nn.WatchOptions{Test: true})
	y := imageNet(tuned, x)
	if tuned.Training() || !cmp.Equal(floats(y), want) || fingerprint(params) != before {
		t.Error("with Test a watched scope does not behave as in evaluation")
	}
	if optim.GradientsOf(tuned, ops.Sum(y)).Get("c/conv/W") == nil {
		t.Error("with Test no gradients flow")
	}
}

// BatchStat normalises by the batch in evaluation too, and writes nothing.
func TestBatchStatInEvaluation(t *testing.T) {
	params, x := nn.NewScope(), images(4)
	y := nn.BatchNormalization(params, x, nn.BatchNormalizationOptions{BatchStat: new(true)})
	for c := range 2 {
		if m := ops.Mean(y.Index(nd.All(), nd.At(c))).Float(); m < -1e-6 || m > 1e-6 {
			t.Errorf("the mean of channel %d is %v", c, m)
		}
	}
	if got := floats(params.Get("bn/mean")); !cmp.Equal(got, []float64{0, 0}) {
		t.Errorf("the running mean became %v", got)
	}
}

func TestFixedParametersAreConstants(t *testing.T) {
	params, x := nn.NewScope(), images(2)
	nn.Affine(params.Sub("a"), x, 3)
	tape := grad.NewTape()
	model := params.Watch(tape)
	h := nn.Affine(model.Sub("a").Fixed(), x, 3)
	g := optim.GradientsOf(model, ops.Sum(nn.Affine(model.Sub("b"), h, 2)))
	if g.Get("a/affine/W") != nil || g.Get("b/affine/W") == nil {
		t.Error("gradients flow to a fixed layer, or to no other")
	}
	ws := model.With(map[string]*nd.Array{"a/affine/W": tape.Watch(params.Get("a/affine/W"))})
	if ws.Fixed().Get("a/affine/W").SharesMemory(params.Get("a/affine/W")) != true {
		t.Error("a fixed array that was given is a copy")
	}
}

func TestClosedScopes(t *testing.T) {
	params, x := nn.NewScope(), images(2)
	nn.Affine(params.Sub("l1"), x, 3)
	params.Close("model.npz")
	nn.Affine(params.Sub("l1"), x, 3)
	refused(t, `"l2/affine/W" is not among the parameters that model.npz brought`, func() { nn.Affine(params.Sub("l2"), x, 3) })
	refused(t, `"n" is not among`, func() { params.Value("n", nd.Zeros(nil)) })
	refused(t, `"v" is not among`, func() { params.Set("v", nd.Zeros(nil)) })
	params.Sub("head").Open()
	nn.Affine(params.Sub("head/a"), x, 3)
	refused(t, `"l2/affine/W" is not among`, func() { nn.Affine(params.Sub("l2"), x, 3) })
	params.Sub("head/a").Close("head.npz")
	refused(t, "that head.npz brought", func() { nn.Affine(params.Sub("head/a/b"), x, 3) })
	params.Open()
	nn.Affine(params.Sub("head/a/b"), x, 3)
	params.Close("model.npz")
	params.Clear()
	nn.Affine(params.Sub("l2"), x, 3)
}

func TestReplicas(t *testing.T) {
	params, x := nn.NewScope(), images(4)
	params.Set("brought", x)
	refused(t, `it is undecided whether "brought" is trained`, func() { params.Replica() })
	params.Clear()
	imageNet(params, x)
	r := params.Replica()
	imageNet(r.Watch(grad.NewTape(), nn.WatchOptions{Rand: nd.NewRand(1)}), x)
	if r.Get("c/conv/W") != params.Get("c/conv/W") || r.Param("fc/affine/b") != params.Param("fc/affine/b") {
		t.Error("a replica has trained parameters of its own")
	}
	if got := floats(params.Get("c/bn/mean")); !cmp.Equal(got, []float64{0, 0, 0, 0}) {
		t.Errorf("training a replica moved the statistics of the scope to %v", got)
	}
	if got := floats(r.Get("c/bn/mean")); cmp.Equal(got, []float64{0, 0, 0, 0}) {
		t.Error("training a replica did not move its statistics")
	}
	refused(t, "a replica of", func() { nn.Affine(r.Sub("other"), x, 3) })
	nn.Affine(params.Sub("other"), x, 3)
}

func TestValues(t *testing.T) {
	s := nn.NewScope()
	n := s.Value("a/n", nd.FromSlice([]int64{3}))
	nd.Fill(n, 7)
	if got := s.Value("a/n", nd.FromSlice([]int64{0})); got.Float() != 7 || s.Param("a/n").NeedGrad() || got.DType() != dtype.Int64 {
		t.Errorf("the value is %v", got)
	}
	refused(t, "another shape", func() { s.Value("a/n", nd.Zeros([]int{2})) })
}

func TestTableOfParameters(t *testing.T) {
	params := nn.NewScope()
	imageNet(params, images(2))
	const want = `
parameter    shape         dtype    count  trained
c/conv/W     (4, 2, 3, 3)  float32  72     yes
c/bn/beta    (1, 4, 1, 1)  float32  4      yes
c/bn/gamma   (1, 4, 1, 1)  float32  4      yes
c/bn/mean    (1, 4, 1, 1)  float32  4      no
c/bn/var     (1, 4, 1, 1)  float32  4      no
fc/affine/W  (100, 3)      float32  300    yes
fc/affine/b  (3,)          float32  3      yes
7 parameters, 391 elements, 383 of them trained, 1.527 KiB
`
	if got := params.String(); got != strings.TrimPrefix(want, "\n") {
		t.Errorf("the table is\n%s", got)
	}
	if got := nn.NewScope().String(); !strings.HasSuffix(got, "0 parameters, 0 elements, 0 of them trained, 0 bytes\n") {
		t.Errorf("an empty scope is\n%s", got)
	}
}
