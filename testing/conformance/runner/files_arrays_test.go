package runner

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// TestSameArray compares arrays that are printed alike.
func TestSameArray(t *testing.T) {
	one, next, long := nd.FromSlice([]float64{1}), nd.FromSlice([]float64{math.Nextafter(1, 2)}), nd.Zeros([]int{3000})
	other := long.Copy()
	other.Assign(nd.Scalar(1), nd.At(1500))
	for name, c := range map[string]struct {
		got, want *nd.Array
		same      bool
	}{
		"equal":                {one, one.Copy(), true},
		"bfloat16":             {one.AsType(dtype.BFloat16), one.AsType(dtype.Float32), true},
		"last digit":           {next, one, false},
		"middle of many":       {other, long, false},
		"bfloat16 for float64": {one.AsType(dtype.BFloat16), one, false},
		"nothing recorded":     {one, nil, false},
	} {
		if err := sameArray(c.got, c.want); (err == nil) != c.same {
			t.Errorf("%s: %v", name, err)
		}
	}
}
