package broadcast

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestAxis(t *testing.T) {
	for axis := -3; axis < 3; axis++ {
		got, err := Axis(axis, 3)
		if err != nil || got != (axis+3)%3 {
			t.Errorf("Axis(%d, 3) = %d, %v", axis, got, err)
		}
	}
	for _, axis := range []int{3, -4, math.MaxInt, math.MinInt} {
		if _, err := Axis(axis, 3); err == nil || !strings.HasSuffix(err.Error(), "is outside the array's 3 axes") {
			t.Errorf("Axis(%d, 3): %v", axis, err)
		}
	}
	if _, err := Axis(0, 0); err == nil {
		t.Error("an axis of rank 0 was accepted")
	}
}

func TestAxes(t *testing.T) {
	got, err := Axes([]int{-1, 0}, 3)
	if err != nil || !slices.Equal(got, []int{2, 0}) {
		t.Errorf("got %v, %v", got, err)
	}
	for _, axes := range [][]int{{0, 0}, {0, -3}, {3}} {
		if got, err := Axes(axes, 3); err == nil {
			t.Errorf("Axes(%v, 3) = %v", axes, got)
		}
	}
	if _, err := Axes([]int{MaxRank}, MaxRank+1); err == nil {
		t.Error("a rank above MaxRank was accepted")
	}
}

func TestReduceShape(t *testing.T) {
	shape := []int{2, 3, 4}
	tests := []struct {
		axes     []int
		keepDims bool
		want     []int
	}{
		{nil, false, []int{2, 3, 4}},
		{[]int{2, 0}, false, []int{3}},
		{[]int{2, 0}, true, []int{1, 3, 1}},
		{[]int{0, 1, 2}, false, []int{}},
	}
	for _, test := range tests {
		if got := ReduceShape(shape, test.axes, test.keepDims); !slices.Equal(got, test.want) {
			t.Errorf("ReduceShape(%v, %v, %v) = %v, want %v", shape, test.axes, test.keepDims, got, test.want)
		}
	}
}

func TestCheckPermutation(t *testing.T) {
	if got, err := CheckPermutation([]int{-1, 0, 1}, 3); err != nil || !slices.Equal(got, []int{2, 0, 1}) {
		t.Errorf("got %v, %v", got, err)
	}
	for _, perm := range [][]int{{0, 1}, {0, 0, 1}, {0, 1, 3}, {0, 1, -3}, nil} {
		if got, err := CheckPermutation(perm, 3); err == nil {
			t.Errorf("CheckPermutation(%v, 3) = %v", perm, got)
		}
	}
}

func TestInversePermutationUndoes(t *testing.T) {
	r := newRand(t)
	for range 200 {
		perm := r.Perm(r.IntN(6))
		v := make([]int, len(perm))
		for i := range v {
			v[i] = r.Int()
		}
		there := Permute(nil, v, perm)
		if back := Permute(nil, there, InversePermutation(perm)); !slices.Equal(back, v) {
			t.Fatalf("%v: %v came back as %v", perm, v, back)
		}
	}
}

func TestMoveAxis(t *testing.T) {
	tests := []struct{ src, dst, want []int }{
		{[]int{0}, []int{2}, []int{1, 2, 0, 3}},
		{[]int{-1}, []int{0}, []int{3, 0, 1, 2}},
		{[]int{0, 1}, []int{-1, -2}, []int{2, 3, 1, 0}},
		{[]int{2, 0}, []int{0, 1}, []int{2, 0, 1, 3}},
		{nil, nil, []int{0, 1, 2, 3}},
	}
	for _, test := range tests {
		if got, err := MoveAxis(4, test.src, test.dst); err != nil || !slices.Equal(got, test.want) {
			t.Errorf("MoveAxis(4, %v, %v) = %v, %v, want %v", test.src, test.dst, got, err, test.want)
		}
	}
	for _, bad := range [][2][]int{{{0}, {0, 1}}, {{0, 0}, {0, 1}}, {{0, 1}, {1, 1}}, {{4}, {0}}, {{0}, {-5}}} {
		if got, err := MoveAxis(4, bad[0], bad[1]); err == nil {
			t.Errorf("MoveAxis(4, %v, %v) = %v", bad[0], bad[1], got)
		}
	}
}

func TestRollAxis(t *testing.T) {
	const rank = 4
	for axis := range rank {
		for start := range rank + 1 {
			// axis then precedes the axis at start, and the others keep their order.
			var want []int
			for i := range rank + 1 {
				if i == start {
					want = append(want, axis)
				}
				if i < rank && i != axis {
					want = append(want, i)
				}
			}
			got, err := RollAxis(rank, axis, start)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("RollAxis(4, %d, %d) = %v, %v, want %v", axis, start, got, err, want)
			}
			if start < rank {
				negative, err := RollAxis(rank, axis-rank, start-rank)
				if err != nil || !slices.Equal(negative, want) {
					t.Errorf("RollAxis(4, %d, %d) = %v, %v, want %v", axis-rank, start-rank, negative, err, want)
				}
			}
		}
	}
	for _, bad := range [][2]int{{4, 0}, {0, 5}, {0, -5}} {
		if got, err := RollAxis(rank, bad[0], bad[1]); err == nil {
			t.Errorf("RollAxis(4, %d, %d) = %v", bad[0], bad[1], got)
		}
	}
}

func TestSwapAxes(t *testing.T) {
	if got, err := SwapAxes(3, 0, -1); err != nil || !slices.Equal(got, []int{2, 1, 0}) {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := SwapAxes(3, 1, 1); err != nil || !slices.Equal(got, []int{0, 1, 2}) {
		t.Errorf("got %v, %v", got, err)
	}
	for _, bad := range [][2]int{{3, 0}, {0, 3}} {
		if _, err := SwapAxes(3, bad[0], bad[1]); err == nil {
			t.Errorf("SwapAxes(3, %d, %d) was accepted", bad[0], bad[1])
		}
	}
}

func TestOnes(t *testing.T) {
	if got := Ones(3); !slices.Equal(got, []int{1, 1, 1}) {
		t.Errorf("got %v", got)
	}
	if got := Ones(0); len(got) != 0 {
		t.Errorf("got %v", got)
	}
}

func TestMovedLast(t *testing.T) {
	if got := MovedLast(5, []int{3, 1}); !slices.Equal(got, []int{0, 2, 4, 3, 1}) {
		t.Errorf("got %v", got)
	}
}
