package random

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// TestAcceptedDraws rejects half of all draws, instead of one in 2³². The draws are the same on devices that check for
// rejected draws and on devices that do not, the accepted draws stay, and the stream continues as if none had been
// rejected.
func TestAcceptedDraws(t *testing.T) {
	const fn nd.Func = "random.test"
	const last, n = uint64(math.MaxUint64 / 2), 4000
	draw := func(rng *nd.Rand, dev device.Device) *nd.Array {
		return fn.Random(rng, device.DistributionBits, []int{n}, nd.ArrayOptions{DType: dtype.Uint64, Device: dev})
	}
	before := nd.ToSlice[uint64](draw(nd.NewRand(7), nil))
	var first []uint64
	for _, dev := range []device.Device{nd.Empty(nil).Device(), ref.New()} {
		rng := nd.NewRand(7)
		got := nd.ToSlice[uint64](accepted(fn, rng, draw(rng, dev), last))
		left := 0
		for i, v := range got {
			if before[i] <= last && v != before[i] {
				t.Fatalf("%s: draw %d was replaced, though it is %d", dev.Name(), i, before[i])
			}
			if before[i] > last && v == before[i] {
				t.Fatalf("%s: draw %d was not replaced, though it is %d", dev.Name(), i, before[i])
			}
			if v > last {
				left++
			}
			if first != nil && v != first[i] {
				t.Fatalf("%s: draw %d differs", dev.Name(), i)
			}
		}
		first = got
		if left < n/12 || left > n/6 {
			t.Errorf("%s: %d of %d draws are left above the last, want an eighth", dev.Name(), left, n)
		}
		other := nd.NewRand(7)
		draw(other, nil)
		if got, want := rng.Uint64(), other.Uint64(); got != want {
			t.Errorf("%s: the stream goes on with %d, want %d", dev.Name(), got, want)
		}
	}
	few := nd.FromSlice([]uint64{3, last, 5})
	if got := accepted(fn, nd.NewRand(1), few, last); !nd.Value[bool](ops.All(ops.Equal(got, few))) {
		t.Errorf("draws that are all accepted became %v", got)
	}
}
