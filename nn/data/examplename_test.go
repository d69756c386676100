package data_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/data"
)

// An error names the example by its index in the data set that the program made first.
func TestErrorsNameTheOriginalExample(t *testing.T) {
	disk := errors.New("disk on fire")
	d := failing{20, 12}
	reversed := make([]int, 20)
	for i := range reversed {
		reversed[i] = 19 - i
	}
	_, rest := data.Split[int](d, 9)
	again := data.Sub(rest, 2, 6)
	mapped := data.Map(rest, func(x int) (int, error) { return x, nil })
	refusing := data.Map(data.Sub(data.Slice[int]{10, 11, 12, 13}, 1, 3), func(x int) (int, error) {
		if x == 12 {
			return 0, disk
		}
		return x, nil
	})
	shuffled := data.Sub[int](d, 0, 20, data.OrderOptions{Order: reversed})
	var whole data.Dataset[int] = failing{20, -1}
	for what, c := range map[string]struct {
		err  error
		want string
	}{
		"a split":               {selected(rest), "example 12: unreadable"},
		"a part of a split":     {selected(again), "example 12: unreadable"},
		"another order":         {selected(shuffled), "example 12: unreadable"},
		"a map of a split":      {selected(mapped), "example 12: unreadable"},
		"the mapped function":   {selected(refusing), "example 2: disk on fire"},
		"tuples":                {selected(data.Zip(rest, rest)), "example 12: unreadable"},
		"names":                 {selected(data.ZipNamed(map[string]data.Dataset[int]{"x": rest, "y": rest})), "example 12: unreadable"},
		"tuples of other parts": {selected(data.Zip(whole, shuffled)), "example 7: unreadable"},
		"several parts":         {selected(data.Concat(whole, rest)), "example 12 of part 1: unreadable"},
	} {
		if c.err == nil || !strings.HasPrefix(c.err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", what, c.err, c.want)
		}
	}
	load := data.Examples(data.Sub(data.Slice[*nd.Array]{ints(1), ints(2), ints(3, 4)}, 1, 3), data.Collate{}.Arrays)
	if _, err := load([]int{0, 1}); err == nil || !strings.HasPrefix(err.Error(), "examples [1 2]: ") {
		t.Errorf("a batch of a part: %v", err)
	}
}

func selected[E any](d data.Dataset[E]) error {
	_, err := data.Select(d, nd.All())
	return err
}
