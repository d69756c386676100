package named_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
)

// tens are three examples.
var tens = &data.Slice[any]{10, 20, 30}

func TestChainerDatasetMixin(t *testing.T) {
	equal(t, "the length", one[int](t, "chainer.dataset.DatasetMixin.__len__", tens), 3)
	equal(t, "an example", one[int](t, "chainer.dataset.DatasetMixin.get_example", tens, 1), 20)
	for _, c := range []struct {
		index any
		want  []any
	}{
		{1, []any{20}}, {-1, []any{30}}, {catalogue.Slice{Start: 1}, []any{20, 30}}, {catalogue.Slice{Step: -2}, []any{30, 10}}, {nd.FromSlice([]int{2, 0, 2}), []any{30, 10, 30}},
	} {
		equal(t, "selected", one[[]any](t, "chainer.dataset.DatasetMixin.__getitem__", tens, c.index), c.want)
	}
	refused(t, "outside axis 0", "chainer.dataset.DatasetMixin.__getitem__", tens, 3)
}

// ended counts calls of Close.
type ended struct {
	data.Batches[any]
	calls int
}

func (e *ended) Close() error { e.calls++; return e.Batches.Close() }

// TestChainerIterator reads batches of two of three examples, with and without repetition.
func TestChainerIterator(t *testing.T) {
	type step struct {
		batch []any
		at    data.Position
	}
	third := func(n int) float64 { return float64(n) / 3 }
	reads := func(repeat bool, want ...step) data.Batches[any] {
		batches := one[data.Batches[any]](t, "chainer.iterators.SerialIterator", tens, 2, with{"repeat": repeat, "shuffle": false})
		equal(t, "position", one[data.Position](t, "chainer.dataset.Iterator", batches), data.Position{Previous: -1})
		for _, w := range want {
			equal(t, "batch", call(t, "chainer.dataset.Iterator.__next__", batches).Values, []any{w.batch})
			equal(t, "position", one[data.Position](t, "chainer.dataset.Iterator", batches), w.at)
		}
		return batches
	}
	first := step{[]any{10, 20}, data.Position{Detail: third(2), Previous: 0}}
	batches := reads(false, first, step{[]any{30}, data.Position{Epoch: 1, Detail: 1, Previous: third(2), NewEpoch: true}})
	refused(t, "EOF", "chainer.dataset.Iterator.__next__", batches)
	e := &ended{Batches: reads(true, first,
		step{[]any{30, 10}, data.Position{Epoch: 1, Detail: third(4), Previous: third(2), NewEpoch: true}},
		step{[]any{20, 30}, data.Position{Epoch: 2, Detail: 2, Previous: third(4), NewEpoch: true}},
		step{[]any{10, 20}, data.Position{Epoch: 2, Detail: third(8), Previous: 2}})}
	call(t, "chainer.dataset.Iterator.finalize", e)
	equal(t, "calls of Close", e.calls, 1)
}

// TestChainerCacheOrLoad checks that a file is made once, and loaded later.
func TestChainerCacheOrLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cached.npy")
	made := 0
	creator := func(path string) (any, error) {
		made++
		x := vector(1, 2)
		return x, nd.SaveNpy(path, x)
	}
	loader := func(path string) (any, error) { return nd.LoadNpy(path) }
	for range 2 {
		equal(t, "the array", one[*nd.Array](t, "chainer.dataset.cache_or_load_file", path, creator, loader), []float64{1, 2})
	}
	equal(t, "calls of the creator", made, 1)
	failing := func(string) (any, error) { return nil, errors.New("no network") }
	refused(t, "no network", "chainer.dataset.cache_or_load_file", path+".other", failing, loader)
}

func TestChainerInitializer(t *testing.T) {
	f := one[initializer.Initializer](t, "chainer.initializer.Initializer", initializer.Constant(3))
	x := vector(0, 0)
	call(t, "chainer.initializer.Initializer.__call__", f, x)
	equal(t, "the array", x, []float64{3, 3})
}

// TestChainerWalkerAlias checks frequencies of draws: 0, 1/4 and 3/4.
func TestChainerWalkerAlias(t *testing.T) {
	sampler := call(t, "chainer.utils.WalkerAlias", vector(0, 1, 3)).Values[0]
	moved := call(t, "chainer.utils.WalkerAlias.to_gpu", sampler, reference(t)).Values[0]
	const n = 4000
	for _, s := range []any{sampler, moved} {
		x := one[*nd.Array](t, "chainer.utils.WalkerAlias.sample", s, []int{n / 4, 4})
		equal(t, "the shape", x.Shape(), []int{n / 4, 4})
		equal(t, "on the reference device", x.Device() == reference(t), s == moved)
		var counts [3]int
		for _, v := range nd.ToSlice[int](x.Ravel()) {
			counts[v]++
		}
		if counts[0] != 0 || counts[1] < 850 || counts[1] > 1150 { // 5.5 standard deviations
			t.Errorf("the numbers of draws are %v", counts)
		}
	}
}
