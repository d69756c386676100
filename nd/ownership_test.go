package nd_test

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// refused runs f, which must panic with an *nd.Error that contains all the words.
func refused(t *testing.T, f func(), words ...string) {
	t.Helper()
	err := nd.Catch(f)
	if err == nil {
		t.Fatal("not refused")
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%q does not say %q", err, w)
		}
	}
}

func TestReleaseIsByHeader(t *testing.T) {
	x := nd.FromSlice([]float64{1, 2, 3, 4}, 2, 2)
	v := x.T()
	x.Release()
	x.Release() // a second Release does nothing
	if got := nd.ToSlice[float64](v); got[1] != 3 {
		t.Errorf("the view lost its memory: %v", got)
	}
	refused(t, func() { _ = x.T() }, "released", "nd.FromSlice")
	v.Release()
	refused(t, func() { nd.ToSlice[float64](v) }, "released", "nd.FromSlice")
}

func TestArenaOwnsWhatIsComputed(t *testing.T) {
	x := nd.FromSlice([]float64{1, 2})
	a := nd.NewArena()
	y := ops.Add(a.Adopt(x), x)
	z, detached := a.Keep(ops.Square(y)), y.Detach()
	a.Release()
	refused(t, func() { ops.Square(y) }, "ops.Add", "arena", "Keep")
	refused(t, func() { ops.Square(detached) }, "arena")
	if got := nd.ToSlice[float64](z); got[1] != 16 {
		t.Errorf("kept: %v", got)
	}
	if x.IsReleased() {
		t.Error("Adopt took the array itself")
	}
	if again := ops.Add(a.Adopt(x), x); nd.ToSlice[float64](again)[0] != 2 {
		t.Error("an arena cannot be used again")
	}
}

func TestYoungestArenaOwns(t *testing.T) {
	outer, inner := nd.NewArena(), nd.NewArena()
	x := nd.FromSlice([]float64{1})
	y := ops.Add(outer.Adopt(x), inner.Adopt(x))
	inner.Release()
	if !y.IsReleased() {
		t.Error("the result outlived the younger arena")
	}
	outer.Release()
}

// TestReleaseSinceKeeps: the arena owns each kept array once, and no other header keeps it alive; the other arrays
// since the mark are released.
func TestReleaseSinceKeeps(t *testing.T) {
	a := nd.NewArena()
	x := a.Adopt(nd.FromSlice([]float64{1}))
	before, spent, passedOn := ops.Square(x), ops.Square(x), ops.Square(x)
	mark := a.Mark()
	dropped, kept, stranger := ops.Square(x), ops.Square(x), nd.FromSlice([]float64{1})
	keep := []*nd.Array{kept, nil, before, stranger, kept, passedOn, passedOn}
	given := slices.Clone(keep)
	a.ReleaseSince(mark, []*nd.Array{spent, nil, passedOn}, keep)
	if before.IsReleased() || !dropped.IsReleased() || kept.IsReleased() || !spent.IsReleased() || passedOn.IsReleased() {
		t.Error("released the wrong ones")
	}
	for i, same := range []bool{true, true, false, false, false, true, false} {
		if (keep[i] == given[i]) != same {
			t.Errorf("array %d is the given one: %v, want %v", i, !same, same)
		}
		if given[i] != nil && !keep[i].SharesMemory(given[i]) {
			t.Errorf("array %d has other memory", i)
		}
	}
	if n := a.Mark() - mark; n != 6 {
		t.Errorf("the arena owns %d arrays since the mark, want 6", n)
	}
	a.Release()
	if !before.IsReleased() || stranger.IsReleased() {
		t.Error("an owner has changed")
	}
	for i, x := range keep {
		if x != nil && !x.IsReleased() {
			t.Errorf("the arena does not own array %d", i)
		}
	}
}

func TestSliceOutlivesTheArray(t *testing.T) {
	x := nd.FromSlice([]int64{1, 2, 3})
	data := nd.Data[int64](x)
	data[1] = 20
	if nd.Value[int](x, 1) != 20 {
		t.Error("Data is a copy")
	}
	x.Release()
	for range 3 { // later allocations must not get this block
		runtime.GC()
		_ = ops.Add(nd.Zeros([]int{3}), 7.0)
	}
	if data[0] != 1 || data[1] != 20 || data[2] != 3 {
		t.Errorf("the slice changed: %v", data)
	}
}

func TestWrapAliases(t *testing.T) {
	host := []float32{1, 2, 3, 4}
	x := nd.Wrap(host, 2, 2)
	host[3] = 40
	x.Assign(nd.Scalar(10), nd.At(0), nd.At(0))
	if nd.Value[float64](x, 1, 1) != 40 || host[0] != 10 {
		t.Error("Wrap does not alias")
	}
	refused(t, func() { nd.Wrap(host, 3) }, "4 elements", "(3,)")
}

func TestVersionCountsWrites(t *testing.T) {
	x := nd.Zeros([]int{2, 2})
	before := x.Version()
	x.T().Assign(nd.Scalar(1))
	ops.Add(x, x, ops.Into(x))
	if x.Version() != before+2 {
		t.Errorf("version went from %d to %d for two writes", before, x.Version())
	}
}

func TestWritesToOverlappingMemory(t *testing.T) {
	x := nd.FromSlice([]float64{1, 2, 3, 4, 5})
	ops.Add(x.Index(nd.From(1)), 0.0, ops.Into(x.Index(nd.Until(4))))
	if got := nd.ToSlice[float64](x); got[0] != 2 || got[3] != 5 || got[4] != 5 {
		t.Errorf("shift down: %v", got)
	}
	y := nd.FromSlice([]float64{1, 2, 3, 4, 5})
	y.Assign(y.Index(nd.Until(4)), nd.From(1))
	if got := nd.ToSlice[float64](y); got[1] != 1 || got[4] != 4 {
		t.Errorf("shift up: %v", got)
	}
	m := nd.FromSlice([]float64{1, 2, 3, 4}, 2, 2)
	m.Assign(m.T())
	if got := nd.ToSlice[float64](m); got[1] != 3 || got[2] != 2 {
		t.Errorf("transposed in place: %v", got)
	}
	refused(t, func() { nd.Zeros([]int{1}).BroadcastTo(3).Assign(nd.Scalar(1)) }, "repeat elements")
}
