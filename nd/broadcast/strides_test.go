package broadcast

import (
	"slices"
	"testing"
)

func TestStridesOfFreshArrays(t *testing.T) {
	tests := []struct{ shape, c, fortran []int }{
		{[]int{}, []int{}, []int{}},
		{[]int{5}, []int{1}, []int{1}},
		{[]int{2, 3, 4}, []int{12, 4, 1}, []int{1, 2, 6}},
		{[]int{3, 0}, []int{1, 1}, []int{1, 3}},
		{[]int{0, 3}, []int{3, 1}, []int{1, 1}},
		{[]int{2, 1, 3}, []int{3, 3, 1}, []int{1, 2, 2}},
	}
	for _, test := range tests {
		if got := Strides(test.shape); !slices.Equal(got, test.c) {
			t.Errorf("Strides(%v) = %v, want %v", test.shape, got, test.c)
		}
		if got := FortranStrides(test.shape); !slices.Equal(got, test.fortran) {
			t.Errorf("FortranStrides(%v) = %v, want %v", test.shape, got, test.fortran)
		}
		head := []int{7}
		if got := AppendStrides(head, test.shape); !slices.Equal(got, append([]int{7}, test.c...)) {
			t.Errorf("AppendStrides([7], %v) = %v", test.shape, got)
		}
		if got := AppendFortranStrides(head, test.shape); !slices.Equal(got, append([]int{7}, test.fortran...)) {
			t.Errorf("AppendFortranStrides([7], %v) = %v", test.shape, got)
		}
	}
}

// isRun reports whether the offsets rise by one from element to element.
func isRun(offsets []int) bool {
	for i := range offsets {
		if offsets[i] != offsets[0]+i {
			return false
		}
	}
	return true
}

func TestContiguityByEnumeration(t *testing.T) {
	r := newRand(t)
	seen := map[[2]bool]int{}
	for range 20000 {
		v := randomView(r, 3)
		got := [2]bool{IsContiguous(v.Shape, v.Strides), IsFortran(v.Shape, v.Strides)}
		reversed := v.Transpose()
		want := [2]bool{isRun(tableOf(v).offsets), isRun(tableOf(reversed).offsets)}
		if got != want {
			t.Fatalf("shape %v strides %v: C and Fortran %v, want %v", v.Shape, v.Strides, got, want)
		}
		seen[got]++
	}
	if len(seen) != 4 {
		t.Errorf("only these cases occurred: %v", seen)
	}
}

func TestBroadcastStridesRefuses(t *testing.T) {
	tests := []struct{ shape, target []int }{
		{[]int{2, 3}, []int{3, 3}},
		{[]int{2, 3}, []int{3}},
		{[]int{1}, []int{}},
		{[]int{0}, []int{2}},
		{[]int{2}, []int{1}},
	}
	for _, test := range tests {
		if got, err := BroadcastStrides(nil, test.shape, Strides(test.shape), test.target); err == nil {
			t.Errorf("%v to %v gave %v", test.shape, test.target, got)
		}
	}
}

func TestBroadcastStridesZeroesStretchedAxes(t *testing.T) {
	dst := make([]int, 0, 4)
	got, err := BroadcastStrides(dst, []int{3, 1, 2}, []int{2, 77, 1}, []int{5, 3, 4, 2})
	if err != nil || !slices.Equal(got, []int{0, 2, 0, 1}) {
		t.Errorf("got %v, %v", got, err)
	}
	if &got[0] != &dst[:1][0] {
		t.Error("dst was not used")
	}
}

func TestMemoryOrder(t *testing.T) {
	for _, c := range []struct{ shape, strides, want []int }{
		{[]int{}, []int{}, []int{}},
		{[]int{2, 3, 4}, []int{12, 4, 1}, []int{0, 1, 2}},
		{[]int{4, 3, 2}, []int{1, 4, 12}, []int{2, 1, 0}},
		{[]int{3, 2, 4}, []int{4, 12, 1}, []int{1, 0, 2}},
		{[]int{2, 3}, []int{1, -2}, []int{1, 0}},         // a transpose, one axis reversed
		{[]int{5, 2, 3}, []int{0, 1, 2}, []int{0, 2, 1}}, // broadcast along axis 0
		{[]int{3, 1, 2}, []int{1, 1, 3}, []int{2, 0, 1}}, // axis 1 has one element
		{[]int{2, 0}, []int{0, 0}, []int{0, 1}},
	} {
		got := MemoryOrder(c.shape, c.strides)
		if !slices.Equal(got, c.want) {
			t.Errorf("MemoryOrder(%v, %v) = %v, want %v", c.shape, c.strides, got, c.want)
		}
	}
}
