package broadcast

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestResolveShape(t *testing.T) {
	tests := []struct {
		shape []int
		size  int
		want  []int
		err   string
	}{
		{[]int{2, -1}, 6, []int{2, 3}, ""},
		{[]int{-1}, 0, []int{0}, ""},
		{[]int{-1, 3}, 0, []int{0, 3}, ""},
		{[]int{-1}, 1, []int{1}, ""},
		{[]int{}, 1, []int{}, ""},
		{nil, 1, []int{}, ""},
		{[]int{0, 5}, 0, []int{0, 5}, ""},
		{[]int{4, 2}, 6, nil, "6 elements do not fill shape (4,2)"},
		{[]int{4, -1}, 6, nil, "6 elements do not fill shape (4,-1)"},
		{[]int{}, 0, nil, "0 elements do not fill shape ()"},
		{[]int{0, -1}, 0, nil, "elements do not fill shape"},
		{[]int{0, -1}, 3, nil, "elements do not fill shape"},
		{[]int{-1, -1}, 4, nil, "only one length can be -1"},
		{[]int{-2, 2}, 4, nil, "has a negative length"},
		{[]int{math.MaxInt, 3, -1}, 4, nil, "more elements than an int can count"},
		{make([]int, MaxRank+1), 0, nil, "axes: an array has at most"},
	}
	for _, test := range tests {
		given := slices.Clone(test.shape)
		got, err := ResolveShape(test.shape, test.size)
		if test.err != "" {
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("ResolveShape(%v, %d): error %v, want %q", test.shape, test.size, err, test.err)
			}
			continue
		}
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("ResolveShape(%v, %d) = %v, %v, want %v", test.shape, test.size, got, err, test.want)
		}
		if !slices.Equal(given, test.shape) {
			t.Errorf("the argument %v was changed to %v", given, test.shape)
		}
	}
}

// factored draws a shape of the given size, with some axes of length 1.
func factored(r *rand.Rand, size int) []int {
	var shape []int
	rest := size
	for rest != 1 && rest != 0 {
		d := 2 + r.IntN(rest-1)
		if rest%d == 0 {
			shape = append(shape, d)
			rest /= d
		}
	}
	if size == 0 {
		shape = append(shape, 0, r.IntN(3))
	}
	for range r.IntN(3) {
		shape = slices.Insert(shape, r.IntN(len(shape)+1), 1)
	}
	return shape
}

// inOrder lists the elements of a table as C or Fortran order visits them.
func inOrder(v View, fortran bool) []int {
	if fortran {
		v = v.Transpose()
	}
	return tableOf(v).offsets
}

// A reshaped view exists exactly when the distances along its axes, read off its
// elements, give all its elements.
func TestReshapeByEnumeration(t *testing.T) {
	r := newRand(t)
	views := map[bool]int{}
	for range 20000 {
		v := randomView(r, 4)
		shape := factored(r, v.Size())
		fortran := r.IntN(2) == 0
		elements := inOrder(v, fortran)
		strides, ok := ReshapeOrder(v.Shape, v.Strides, shape, fortran)

		if !fortran {
			same, sameOK := Reshape(v.Shape, v.Strides, shape)
			if sameOK != ok || !slices.Equal(same, strides) {
				t.Fatalf("Reshape and ReshapeOrder disagree")
			}
		}
		if ok {
			got := inOrder(View{Offset: v.Offset, Shape: shape, Strides: strides}, fortran)
			if !slices.Equal(got, elements) {
				t.Fatalf("%v strides %v to %v: strides %v give %v, want %v", v.Shape, v.Strides, shape, strides, got, elements)
			}
		} else if viewExists(elements, shape, fortran) {
			t.Fatalf("%v strides %v to %v (Fortran %v): refused, but a view exists", v.Shape, v.Strides, shape, fortran)
		}
		if v.Size() > 1 {
			views[ok]++
		}
	}
	if views[true] < 1000 || views[false] < 1000 {
		t.Errorf("views and copies: %v", views)
	}
}

func viewExists(elements, shape []int, fortran bool) bool {
	strides := make([]int, len(shape))
	step := 1
	for k := range shape {
		axis := nearest(k, len(shape), fortran)
		if shape[axis] > 1 {
			strides[axis] = elements[step] - elements[0]
		}
		step *= shape[axis]
	}
	return slices.Equal(inOrder(View{elements[0], shape, strides}, fortran), elements)
}

func TestReshapeOfFewElementsIsAView(t *testing.T) {
	for _, fortran := range []bool{false, true} {
		for _, c := range []struct{ shape, strides, to []int }{
			{[]int{0, 3}, []int{-7, 9}, []int{4, 0, 2}},
			{[]int{1, 1}, []int{5, -3}, []int{}},
			{[]int{}, nil, []int{1, 1, 1}},
		} {
			strides, ok := ReshapeOrder(c.shape, c.strides, c.to, fortran)
			want := Strides(c.to)
			if fortran {
				want = FortranStrides(c.to)
			}
			if !ok || !slices.Equal(strides, want) {
				t.Errorf("%v to %v: %v, %v, want %v", c.shape, c.to, strides, ok, want)
			}
		}
	}
}

func TestReshapeRefusesOtherSizes(t *testing.T) {
	for _, shape := range [][]int{{5}, {-1}, {-2, -3}, {}, {0}, {math.MaxInt, 2, 3}} {
		if strides, ok := Reshape([]int{2, 3}, []int{3, 1}, shape); ok {
			t.Errorf("(2, 3) to %v gave strides %v", shape, strides)
		}
	}
}
