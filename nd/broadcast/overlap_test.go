package broadcast

import (
	"math"
	"slices"
	"testing"
)

func TestExtentByEnumeration(t *testing.T) {
	r := newRand(t)
	for range 2000 {
		v := randomView(r, 3)
		lo, hi := Extent(v.Shape, v.Strides)
		offsets := tableOf(v).offsets
		if len(offsets) == 0 {
			if lo != 0 || hi != -1 {
				t.Fatalf("%+v: extent %d to %d", v, lo, hi)
			}
			continue
		}
		if v.Offset+lo != slices.Min(offsets) || v.Offset+hi != slices.Max(offsets) {
			t.Fatalf("%+v: extent %d to %d, offsets %v", v, lo, hi, offsets)
		}
	}
}

func intersect(a, b []int) bool {
	return slices.ContainsFunc(a, func(offset int) bool { return slices.Contains(b, offset) })
}

// Views of a few dozen elements stay within the search budget, so the answer must
// be exact.
func TestMayOverlapByEnumeration(t *testing.T) {
	r := newRand(t)
	answers := map[bool]int{}
	for range 20000 {
		a, b := randomView(r, 3), randomView(r, 3)
		b.Offset = a.Offset + r.IntN(60) - 30
		want := intersect(tableOf(a).offsets, tableOf(b).offsets)
		got := MayOverlap(a.Offset, a.Shape, a.Strides, b.Offset, b.Shape, b.Strides)
		if got != want {
			t.Fatalf("%+v and %+v: %v, want %v", a, b, got, want)
		}
		if back := MayOverlap(b.Offset, b.Shape, b.Strides, a.Offset, a.Shape, a.Strides); back != got {
			t.Fatalf("%+v and %+v: not symmetric", a, b)
		}
		answers[got]++
	}
	if answers[true] < 1000 || answers[false] < 1000 {
		t.Errorf("answers: %v", answers)
	}
}

func TestMayOverlapKnownPairs(t *testing.T) {
	const rows, columns = 1000, 1000
	block := func(row, column, height, width, step int) View {
		return View{row*columns + column, []int{height, width}, []int{columns, step}}
	}
	tests := []struct {
		name string
		a, b View
		want bool
	}{
		{"column halves", block(0, 0, rows, 500, 1), block(0, 500, rows, 500, 1), false},
		{"column halves with one in common", block(0, 0, rows, 501, 1), block(0, 500, rows, 500, 1), true},
		{"even and odd", block(0, 0, rows, 500, 2), block(0, 1, rows, 500, 2), false},
		{"blocks side by side", block(10, 10, 20, 20, 1), block(15, 30, 20, 20, 1), false},
		{"blocks that cross", block(10, 10, 20, 20, 1), block(29, 29, 20, 20, 1), true},
		{"a matrix and its transpose", block(0, 0, 9, 9, 1), block(0, 0, 9, 9, 1).Transpose(), true},
		{"triangle blocks", block(0, 9, 9, 9, 1), block(0, 9, 9, 9, 1).Transpose(), true},
		{"a block and its mirror below", block(0, 9, 9, 9, 1), block(9, 0, 9, 9, 1).Transpose(), false},
		{"broadcast column", View{3, []int{math.MaxInt / 2}, []int{0}}, View{4, []int{100}, []int{2}}, false},
		{"with nothing", block(0, 0, 0, 5, 1), block(0, 0, 5, 5, 1), false},
	}
	for _, test := range tests {
		a, b := test.a, test.b
		if got := MayOverlap(a.Offset, a.Shape, a.Strides, b.Offset, b.Shape, b.Strides); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// Strides that defeat the search still get a quick answer, and a safe one.
func TestMayOverlapGivesUpSafely(t *testing.T) {
	shape := []int{1000, 1000, 1000, 1000}
	strides := []int{10007, 10009, 10037, 10039}
	if !MayOverlap(0, shape, strides, 20_000_000, shape, strides) {
		t.Error("entangled views were called disjoint")
	}
}

func TestMaySelfOverlapByEnumeration(t *testing.T) {
	r := newRand(t)
	answers := map[bool]int{}
	for range 5000 {
		v := randomView(r, 3)
		offsets := tableOf(v).offsets
		slices.Sort(offsets)
		repeats := len(slices.Compact(slices.Clone(offsets))) < len(offsets)
		got := MaySelfOverlap(v.Shape, v.Strides)
		if repeats && !got {
			t.Fatalf("%+v reaches an element twice", v)
		}
		answers[got]++
	}
	if answers[true] < 500 || answers[false] < 500 {
		t.Errorf("answers: %v", answers)
	}
	if MaySelfOverlap([]int{5, 4}, []int{-2, 10}) {
		t.Error("a strided view in Fortran order was said to overlap itself")
	}
}

func TestSameLayout(t *testing.T) {
	tests := []struct {
		a, b View
		want bool
	}{
		{NewView([]int{2, 3}), NewView([]int{2, 3}), true},
		{NewView([]int{2, 3}), NewFortranView([]int{2, 3}), false},
		{NewView([]int{2, 3}), NewView([]int{3, 2}), false},
		{View{0, []int{1, 3}, []int{9, 1}}, View{0, []int{1, 3}, []int{-2, 1}}, true},
		{View{0, []int{3}, []int{1}}, View{1, []int{3}, []int{1}}, false},
		{View{0, []int{0, 3}, []int{1, 2}}, View{5, []int{0, 3}, []int{3, 4}}, true},
		{View{0, []int{1, 1}, []int{1, 2}}, View{0, []int{1}, []int{1}}, false},
	}
	for _, test := range tests {
		a, b := test.a, test.b
		if got := SameLayout(a.Offset, a.Shape, a.Strides, b.Offset, b.Shape, b.Strides); got != test.want {
			t.Errorf("%+v and %+v: %v, want %v", a, b, got, test.want)
		}
	}
}
