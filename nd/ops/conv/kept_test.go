package conv_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/random"
)

// TestRepeatedConvolutions: a device keeps packed weights from the second call on. The results are the same bits, and follow every
// write to the weights.
func TestRepeatedConvolutions(t *testing.T) {
	rng := nd.NewRand(1)
	for _, c := range []struct {
		channels, filters, size, window, group int
		what                                   string
	}{
		{70, 130, 20, 1, 1, "channels in lanes"}, {3, 8, 40, 3, 1, "pixels in lanes"}, {128, 70, 7, 3, 1, "taps"}, {130, 140, 9, 3, 2, "groups"},
		{8, 8, 16, 3, 8, "depthwise"}, {64, 40, 3, 3, 1, "windows"},
	} {
		x := random.Normal(rng, 0, 1, []int{2, c.channels, c.size, c.size}, dtype.Float32)
		w := random.Normal(rng, 0, 1, []int{c.filters, c.channels / c.group, c.window, c.window}, dtype.Float32)
		o := conv.ConvolutionOptions{Group: c.group, Pad: []int{c.window / 2}}
		run := func(w *nd.Array) []float32 { return nd.ToSlice[float32](conv.Convolution(x, w, nil, o)) }
		check := func(when string) {
			t.Helper()
			want := run(w.Copy())
			for call := range 3 {
				if !slices.Equal(run(w), want) {
					t.Fatalf("%s: call %d %s gives another result", c.what, call, when)
				}
			}
		}
		check("at first")
		ops.Multiply(w, 2, ops.Into(w))
		check("after a write")
		half := w.Index(nd.Until(c.filters / 2))
		ops.Add(half, 1, ops.Into(half))
		check("after a write to a part")
		nd.TidyAll(func() { ops.Add(w, 3, ops.Into(w)) })
		check("after a write in a scope")
		want := run(w.Index(nd.Until(c.filters / 2 / c.group * c.group)).Copy())
		if c.group == 1 && !slices.Equal(run(half), want) {
			t.Errorf("%s: a part of the weights gives another result", c.what)
		}
		var all sync.WaitGroup
		want = run(w.Copy())
		fresh := w.Copy()
		for range 4 {
			all.Go(func() {
				for range 3 {
					if !slices.Equal(run(fresh), want) {
						t.Errorf("%s: a goroutine got another result", c.what)
					}
				}
			})
		}
		all.Wait()
		nd.Data[float32](w)[0] = 100
		check("after the program wrote to the memory")
		nd.Data[float32](w)[1] = 100
		check("after it wrote again")
	}
}
