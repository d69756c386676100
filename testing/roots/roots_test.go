//go:build amd64 && !purego && !race && !poison && !storm

package roots

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/metrics"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// limits gives, for each measure, the value of a test that imports nothing, with Go 1.26, and the largest amount that
// the library may add: at program start, and after training a small network.
var limits = []struct {
	metric              string
	others, start, used uint64
}{
	{"/gc/scan/globals:bytes", 182_500, 31_000, 31_000},
	{"/gc/scan/heap:bytes", 82_100, 10_000, 26_000},
	{"/gc/heap/objects:objects", 336, 60, 330},
}

// child is the environment variable that tells a test process to measure itself.
const child = "NDGRAD_MEASURE_ROOTS"

func TestMain(m *testing.M) {
	if os.Getenv(child) == "" {
		os.Exit(m.Run())
	}
	measure()
	train()
	measure()
}

func measure() {
	runtime.GC()
	runtime.GC()
	samples := make([]metrics.Sample, len(limits))
	for k := range samples {
		samples[k].Name = limits[k].metric
	}
	metrics.Read(samples)
	for k := range samples {
		fmt.Println(samples[k].Value.Uint64())
	}
}

// train uses the library like a program, so that the library is linked into the test.
func train() {
	x := nd.FromSlice([]float32{0, 0, 0, 1, 1, 0, 1, 1}, 4, 2)
	t := nd.FromSlice([]int{0, 1, 1, 0}, 4, 1)
	params := nn.NewScope(nn.ScopeOptions{Rand: nd.NewRand(1)})
	opt := optim.NewAdam(optim.AdamOptions{LR: 0.05})
	tape := grad.NewTape()
	for range 10 {
		model := params.Watch(tape)
		h := ops.Tanh(nn.Affine(model.Sub("hidden"), x, 8))
		l := ops.Mean(loss.SoftmaxCrossEntropy(nn.Affine(model.Sub("output"), h, 2), t))
		opt.Update(optim.GradientsOf(model, l))
		tape.Reset()
	}
}

// TestRoots checks that tables are in pointer-free memory or in code, and that rarely needed objects are created on
// demand.
func TestRoots(t *testing.T) {
	if testing.CoverMode() != "" {
		t.Skip("coverage counters add variables")
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), child+"=1", "GOMAXPROCS=2", "GODEBUG=", "GOGC=100")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	in := bytes.NewReader(out)
	for _, used := range []bool{false, true} {
		for _, l := range limits {
			when, most := "at the start", l.others+l.start
			if used {
				when, most = "after training", l.others+l.used
			}
			var n uint64
			if _, err := fmt.Fscan(in, &n); err != nil {
				t.Fatal(err)
			}
			t.Logf("%s %s: %d", l.metric, when, n)
			if n > most {
				t.Errorf("%s %s is %d, want at most %d", l.metric, when, n, most)
			}
		}
	}
}
