package broadcast

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestCheckShape(t *testing.T) {
	tests := []struct {
		shape []int
		want  string
	}{
		{nil, ""},
		{[]int{0, 3}, ""},
		{[]int{math.MaxInt}, ""},
		{[]int{math.MaxInt, 1, 0}, ""},
		{make([]int, MaxRank), ""},
		{make([]int, MaxRank+1), "axes: an array has at most"},
		{[]int{2, -1}, "has a negative length"},
		{[]int{math.MinInt}, "has a negative length"},
		{[]int{math.MaxInt, 2}, "more elements than an int can count"},
		{[]int{0, math.MaxInt, 2}, "more elements than an int can count"},
		{[]int{math.MaxInt, 0, math.MaxInt, math.MaxInt}, "more elements than an int can count"},
		{[]int{math.MaxInt/2 + 1, 2}, "more elements than an int can count"},
		{[]int{math.MaxInt / 2, 2}, ""},
	}
	for _, test := range tests {
		err := CheckShape(test.shape)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("CheckShape(%v) = %v, want %q", test.shape, err, test.want)
		}
	}
}

func TestFormatShape(t *testing.T) {
	for want, shape := range map[string][]int{"()": {}, "(3,)": {3}, "(2, 3)": {2, 3}, "(0, -1, 10)": {0, -1, 10}} {
		if got := FormatShape(shape); got != want {
			t.Errorf("FormatShape(%v) = %q, want %q", shape, got, want)
		}
	}
}

func TestShapes(t *testing.T) {
	tests := []struct {
		shapes [][]int
		want   []int
		err    string
	}{
		{nil, []int{}, ""},
		{[][]int{{}}, []int{}, ""},
		{[][]int{{2, 1}, {7}}, []int{2, 7}, ""},
		{[][]int{{0}, {1}}, []int{0}, ""},
		{[][]int{{5, 4, 1, 2}, {1, 3, 1}, {}}, []int{5, 4, 3, 2}, ""},
		{[][]int{{2, 3}, {3}, {2}}, nil, "operand 0 of shape (2, 3) and operand 2 of shape (2,) do not"},
		{[][]int{{1, 1}, {4, 1}, {3, 1}}, nil, "operand 1 of shape (4, 1) and operand 2 of shape (3, 1) do not"},
		{[][]int{{0}, {2}}, nil, "operand 0 of shape (0,) and operand 1 of shape (2,) do not"},
		{[][]int{{math.MaxInt, 1}, {2}}, nil, "more elements than an int can count"},
		{[][]int{make([]int, MaxRank+1), {}}, nil, "axes: an array has at most"},
	}
	for _, test := range tests {
		got, err := Shapes(test.shapes...)
		if test.err != "" {
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("Shapes(%v): error %v, want %q", test.shapes, err, test.err)
			}
			continue
		}
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("Shapes(%v) = %v, %v, want %v", test.shapes, got, err, test.want)
		}
	}
}

func TestIntoAgreesWithShapes(t *testing.T) {
	r := newRand(t)
	for range 5000 {
		a, b := randomShape(r, 4), randomShape(r, 4)
		want, wantErr := Shapes(a, b)
		got, err := Into(nil, a, b)
		if (err != nil) != (wantErr != nil) || !slices.Equal(got, want) {
			t.Fatalf("Into(%v, %v) = %v, %v; Shapes gives %v, %v", a, b, got, err, want, wantErr)
		}
	}
	_, err := Into(nil, []int{2, 3}, []int{2, 2})
	if want := "shapes (2,3) and (2,2) do not broadcast to one shape"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %q", err, want)
	}
	if _, err := Into(nil, []int{math.MaxInt, 1}, []int{2}); err == nil {
		t.Error("a result with too many elements was accepted")
	}
}

func TestIntoDoesNotAllocate(t *testing.T) {
	dst := make([]int, 0, MaxRank)
	a, b := []int{5, 1, 3}, []int{4, 1}
	allocs := testing.AllocsPerRun(100, func() {
		var err error
		if dst, err = Into(dst, a, b); err != nil {
			t.Fatal(err)
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
	if !slices.Equal(dst, []int{5, 4, 3}) {
		t.Errorf("got %v", dst)
	}
}

// Summing over SumAxes must send each element of the broadcast array back to the
// element it was read from.
func TestSumAxesIsAdjointOfBroadcasting(t *testing.T) {
	r := newRand(t)
	for range 2000 {
		to := randomShape(r, 3)
		from, err := Shapes(to, randomShape(r, 4))
		if err != nil {
			continue
		}
		axes := SumAxes(from, to)
		if got := ReduceShape(from, axes, true)[len(from)-len(to):]; !Equal(got, to) {
			t.Fatalf("SumAxes(%v, %v) = %v leaves %v", from, to, axes, got)
		}
		for axis, d := range from {
			stretched := axis < len(from)-len(to) || to[axis-len(from)+len(to)] != d
			if slices.Contains(axes, axis) != stretched {
				t.Fatalf("SumAxes(%v, %v) = %v", from, to, axes)
			}
		}
	}
}
