package reduce

import (
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/launchtest"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/reduce"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// TestGroupsAreCombinedAsAlone checks that a long sum is that of its groups, bit by bit, although several groups are
// combined at once.
func TestGroupsAreCombinedAsAlone(t *testing.T) {
	for _, body := range []string{"x", "x*x"} {
		p := launchtest.Compile(t, dtype.Float32, "T x", "T out", body)
		sum := func(x []float32) float32 {
			out := make([]float32, 1)
			l := launchtest.Launch([]int{len(x)}, launchtest.NewStrided(out, 0, []int{0}), launchtest.New(x, len(x)))
			l.Program, l.Combine, l.Reduced = p, device.CombineSum, 1
			Reduce(l)
			l.Recycle()
			return out[0]
		}
		x := launchtest.Uniform(9*strided.GroupLen + 1000)
		var groups []float32
		for start := 0; start < len(x); start += strided.GroupLen {
			groups = append(groups, sum(x[start:min(start+strided.GroupLen, len(x))]))
		}
		var want float32
		reduce.Rows(reduce.Sum, &want, &groups[0], 1, len(groups), len(groups))
		if got := sum(x); got != want {
			t.Errorf("%s: the sum is %v, the sum of its groups is %v", body, got, want)
		}
	}
}
