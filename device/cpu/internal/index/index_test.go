package index

import (
	"errors"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/launchtest"
)

func TestIndicesAreCheckedFirst(t *testing.T) {
	out := make([]float32, 5000)
	indices := make([]int64, 5000)
	indices[4000], indices[4500] = 3, -9
	for name, kernel := range map[string]func(*device.Launch){"gather": Gather, "scatter": Scatter} {
		l := launchtest.Launch([]int{5000}, launchtest.New(out, 5000), launchtest.NewStrided([]float32{1, 2, 3}, 0, []int{0}), launchtest.New(indices, 5000))
		l.Axes[0] = device.IndexAxis{Stride: 1, Size: 3}
		if name == "scatter" {
			l.Operands[0].Strides[0] = 0
		}
		func() {
			defer func() {
				var e *device.IndexError
				if err, ok := recover().(error); !ok || !errors.As(err, &e) || e.Index != 3 || e.Size != 3 {
					t.Errorf("%s: panic %v", name, err)
				}
			}()
			kernel(l)
			t.Errorf("%s: no panic", name)
		}()
		for i, v := range out {
			if v != 0 {
				t.Fatalf("%s wrote element %d before it failed", name, i)
			}
		}
	}
}
