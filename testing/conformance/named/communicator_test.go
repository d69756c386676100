package named_test

import (
	"sync"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/comm"
	"github.com/ndgrad/ndgrad/testing/assert"
)

// TestSyncBatchNormalizationOfGroup: the ranks of a group have common statistics.
func TestSyncBatchNormalizationOfGroup(t *testing.T) {
	const name = "nnabla.functions.sync_batch_normalization"
	x := vector(1, 2, 4, 9, 3, 5).Reshape(6, 1)
	call := func(x *nd.Array, more map[string]any) *nd.Array {
		args := with{"x": x, "beta": nil, "gamma": nil, "mean": nil, "variance": nil}
		for k, v := range more {
			args[k] = v
		}
		r, err := try(name, args)
		if err != nil {
			t.Error(err)
			return x
		}
		return r.Values[0].(*nd.Array)
	}
	want := call(x.Index(nd.From(2)), nil)
	var running sync.WaitGroup
	for r, c := range comm.Local(3) {
		running.Go(func() {
			defer c.Close()
			if _, err := c.NewGroup(t.Context(), "two", []int{1, 2}); err != nil {
				t.Error(err)
			}
			if r == 0 {
				return
			}
			y := call(x.Index(nd.Span(2*r, 2*r+2)), map[string]any{"comm": c, "group": "two"})
			assert.AllClose(t, y, want.Index(nd.Span(2*r-2, 2*r)), 1e-5, 1e-5)
		})
	}
	running.Wait()
}
