package text_test

import (
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/internal/text"
)

// shown picks the shown values of an array of the given shape whose element at row-major position i is value(i).
func shown[T any](layout text.Layout, value func(i int) T) []T {
	positions := []int{0}
	for _, axis := range layout {
		var deeper []int
		for _, p := range positions {
			for i := range axis.Size {
				if i < axis.Leading || i >= axis.Size-axis.Trailing {
					deeper = append(deeper, p*axis.Size+i)
				}
			}
		}
		positions = deeper
	}
	out := make([]T, len(positions))
	for n, p := range positions {
		out[n] = value(p)
	}
	return out
}

func TestArrayOfSeveralLines(t *testing.T) {
	count := func(i int) int64 { return int64(i) }
	cube := func(i int) int64 { return int64(i * i * i) }
	thousands := func(i int) int64 { return int64(i) * 1000 }
	lineWidth := func(n int) text.Options { return text.Options{LineWidth: &n} }
	comma := text.Options{Separator: new(", ")}
	edges := summary(5, 1)
	edges.Separator = comma.Separator
	narrow := lineWidth(30)
	narrow.Separator, narrow.Prefix, narrow.Suffix = comma.Separator, "xx", "yyy"

	for _, c := range []struct {
		shape []int
		value func(i int) int64
		o     text.Options
		want  string
	}{
		{[]int{3, 4}, count, text.Options{}, "[[ 0  1  2  3]\n [ 4  5  6  7]\n [ 8  9 10 11]]"},
		{[]int{2, 2, 2}, count, text.Options{}, "[[[0 1]\n  [2 3]]\n\n [[4 5]\n  [6 7]]]"},
		{[]int{2, 2, 2}, count, comma, "[[[0, 1],\n  [2, 3]],\n\n [[4, 5],\n  [6, 7]]]"},
		{[]int{2, 2, 2, 2}, count, text.Options{}, "[[[[ 0  1]\n   [ 2  3]]\n\n  [[ 4  5]\n   [ 6  7]]]\n\n\n" +
			" [[[ 8  9]\n   [10 11]]\n\n  [[12 13]\n   [14 15]]]]"},
		{[]int{0, 3}, count, text.Options{}, "[]"},

		// Full lines.
		{[]int{30}, count, lineWidth(30), "[ 0  1  2  3  4  5  6  7  8\n  9 10 11 12 13 14 15 16 17\n" +
			" 18 19 20 21 22 23 24 25 26\n 27 28 29]"},
		{[]int{30}, count, narrow, "[ 0,  1,  2,  3,  4,  5,\n    6,  7,  8,  9, 10, 11,\n   12, 13, 14, 15, 16, 17,\n" +
			"   18, 19, 20, 21, 22, 23,\n   24, 25, 26, 27, 28, 29]"},
		{[]int{2, 6}, count, lineWidth(10), "[[ 0  1\n   2  3\n   4  5]\n [ 6  7\n   8  9\n  10 11]]"},
		{[]int{4}, thousands, lineWidth(2), "[   0\n 1000\n 2000\n 3000]"},

		// Summaries.
		{[]int{1000}, func(int) int64 { return 7 }, lineWidth(1 << 20), "[" + repeat("7", " ", 1000) + "]"},
		{[]int{1001}, count, text.Options{}, "[   0    1    2 ...  998  999 1000]"},
		{[]int{10}, count, summary(5, 3), "[0 1 2 ... 7 8 9]"},
		{[]int{10}, count, edges, "[0, ..., 9]"},
		{[]int{10}, thousands, summary(5, 0), "[... 9000]"},
		{[]int{6}, count, summary(5, 3), "[0 1 2 3 4 5]"},
		{[]int{8, 5}, count, summary(5, 2), "[[ 0  1 ...  3  4]\n [ 5  6 ...  8  9]\n ...\n [30 31 ... 33 34]\n [35 36 ... 38 39]]"},
		{[]int{10, 10}, cube, summary(5, 1), "[[     0 ...    729]\n ...\n [729000 ... 970299]]"},
		{[]int{4, 4, 4}, count, summary(0, 1), "[[[ 0 ...  3]\n  ...\n  [12 ... 15]]\n\n ...\n\n [[48 ... 51]\n  ...\n  [60 ... 63]]]"},
	} {
		v := text.Values{Ints: shown(c.o.Layout(c.shape), c.value)}
		if got := c.o.Array(dtype.Int64, c.shape, v); got != c.want {
			t.Errorf("shape %v:\ngot  %q\nwant %q", c.shape, got, c.want)
		}
	}
}

func repeat(word, separator string, n int) string {
	out := word
	for range n - 1 {
		out += separator + word
	}
	return out
}

func TestWrappedLinesEndWithoutBlanks(t *testing.T) {
	o := text.Options{LineWidth: new(20)}
	got := o.Array(dtype.Float64, []int{4}, floats(1.5, 22.25, 1.5, 22.25))
	if want := "[ 1.5  22.25  1.5\n 22.25]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLayoutAsksForTheEdgesOnly(t *testing.T) {
	layout := text.Options{}.Layout([]int{500, 6, 7})
	want := text.Layout{
		{Size: 500, Leading: 3, Trailing: 3, Summarised: true},
		{Size: 6, Leading: 6},
		{Size: 7, Leading: 3, Trailing: 3, Summarised: true},
	}
	if !slices.Equal(layout, want) {
		t.Errorf("got %v, want %v", layout, want)
	}
	if got := layout.ShownShape(); !slices.Equal(got, []int{6, 6, 6}) {
		t.Errorf("shown shape %v", got)
	}
}

func TestLayoutOfAnArrayTooLargeToCount(t *testing.T) {
	layout := text.Options{}.Layout([]int{1 << 30, 1 << 30, 1 << 30}) // broadcast from one element
	if got := layout.ShownShape(); !slices.Equal(got, []int{6, 6, 6}) {
		t.Errorf("shown shape %v", got)
	}
	if got := (text.Options{}).Array(dtype.Int8, []int{1 << 30, 1 << 30, 0}, text.Values{}); got != "[]" {
		t.Errorf("got %q for an empty array", got)
	}
}
