package broadcast

import (
	"math"
	"math/big"
	"slices"
	"testing"
)

func TestResolveRangeKnownSlices(t *testing.T) {
	i := func(v int) *int { return &v }
	tests := []struct {
		start, stop, step *int
		n                 int
		want              []int
	}{
		{nil, nil, nil, 4, []int{0, 1, 2, 3}},
		{nil, nil, i(-1), 4, []int{3, 2, 1, 0}},
		{i(1), i(-1), nil, 4, []int{1, 2}},
		{i(-2), nil, nil, 4, []int{2, 3}},
		{i(-9), i(9), i(3), 4, []int{0, 3}},
		{i(9), i(-9), i(-2), 4, []int{3, 1}},
		{i(3), i(0), i(-1), 4, []int{3, 2, 1}},
		{i(3), i(1), nil, 4, nil},
		{i(1), i(3), i(-1), 4, nil},
		{i(4), nil, nil, 4, nil},
		{nil, nil, i(-1), 0, nil},
		{nil, nil, i(math.MinInt), 4, []int{3}},
		{nil, nil, i(math.MaxInt), 4, []int{0}},
		{i(math.MinInt), i(math.MaxInt), i(2), 4, []int{0, 2}},
		{i(math.MaxInt), i(math.MinInt), i(-2), 4, []int{3, 1}},
	}
	for _, test := range tests {
		first, count, step, err := ResolveRange(test.start, test.stop, test.step, test.n)
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for k := range count {
			got = append(got, first+k*step)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("got %v, want %v", got, test.want)
		}
	}
	if _, _, _, err := ResolveRange(nil, nil, i(0), 4); err == nil {
		t.Error("a step of 0 was accepted")
	}
}

// modelRange computes slice indices as the Python language defines them, in
// integers without bounds.
func modelRange(start, stop, step *int, n int) (first, count *big.Int) {
	length, by := big.NewInt(int64(n)), big.NewInt(1)
	if step != nil {
		by = big.NewInt(int64(*step))
	}
	lowest, highest := big.NewInt(0), length
	if by.Sign() < 0 {
		lowest, highest = big.NewInt(-1), new(big.Int).Sub(length, big.NewInt(1))
	}
	clamp := func(given *int, absent *big.Int) *big.Int {
		if given == nil {
			return absent
		}
		v := big.NewInt(int64(*given))
		if v.Sign() < 0 {
			v.Add(v, length)
		}
		if v.Cmp(lowest) < 0 {
			return lowest
		}
		if v.Cmp(highest) > 0 {
			return highest
		}
		return v
	}
	first, end := clamp(start, lowest), clamp(stop, highest)
	if by.Sign() < 0 {
		first, end = clamp(start, highest), clamp(stop, lowest)
	}
	distance := new(big.Int).Sub(end, first)
	if distance.Sign()*by.Sign() <= 0 {
		return new(big.Int), new(big.Int)
	}
	distance.Abs(distance)
	size := new(big.Int).Abs(by)
	count = distance.Add(distance, size)
	count.Sub(count, big.NewInt(1))
	return first, count.Quo(count, size)
}

func FuzzResolveRange(f *testing.F) {
	edges := []int{math.MinInt, math.MinInt + 1, -7, -1, 0, 1, 2, 5, math.MaxInt - 1, math.MaxInt}
	for _, a := range edges {
		for _, b := range edges {
			for _, c := range edges {
				f.Add(a, b, c, byte(0), uint16(5))
				f.Add(a, b, c, byte(8), uint16(0))
			}
		}
	}
	for absent := range byte(16) {
		f.Add(-3, 4, -2, absent, uint16(6))
		f.Add(1, 6, 3, absent, uint16(7))
	}
	f.Fuzz(func(t *testing.T, a, b, c int, absent byte, length uint16) {
		start, stop, step, n := &a, &b, &c, int(length)
		if absent&1 != 0 {
			start = nil
		}
		if absent&2 != 0 {
			stop = nil
		}
		if absent&4 != 0 {
			step = nil
		}
		if absent&8 != 0 {
			n = math.MaxInt - n
		}
		first, count, by, err := ResolveRange(start, stop, step, n)
		if step != nil && c == 0 {
			if err == nil {
				t.Fatal("a step of 0 was accepted")
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		wantFirst, wantCount := modelRange(start, stop, step, n)
		if !wantFirst.IsInt64() || int64(first) != wantFirst.Int64() || int64(count) != wantCount.Int64() {
			t.Fatalf("%d:%d:%d absent %b of %d: first %d count %d, want %v and %v", a, b, c, absent, n, first, count, wantFirst, wantCount)
		}
		if (step != nil && by != c) || (step == nil && by != 1) {
			t.Fatalf("step %d", by)
		}
		if _, err := (View{Shape: []int{n}, Strides: []int{1}}).Slice(0, first, count, by); err != nil {
			t.Fatalf("Slice refuses the resolved range: %v", err)
		}
	})
}
