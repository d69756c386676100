package data_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/data"
)

// all reads a data set from the first to the last example.
func all[E any](t *testing.T, d data.Dataset[E]) []E {
	t.Helper()
	list := make([]E, d.Len())
	for i := range list {
		var err error
		if list[i], err = d.At(i); err != nil {
			t.Fatal(err)
		}
	}
	return list
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s: %s", what, d)
	}
}

// failing is a data set with one example that cannot be read.
type failing struct{ n, at int }

func (f failing) Len() int { return f.n }

func (f failing) At(i int) (int, error) {
	if i == f.at {
		return 0, errors.New("unreadable")
	}
	return i, nil
}

func TestSelect(t *testing.T) {
	d := data.Slice[int]{0, 10, 20, 30, 40, 50}
	for _, c := range []struct {
		ix   nd.Index
		want []int
	}{
		{nd.At(1), []int{10}},
		{nd.At(-1), []int{50}},
		{nd.Span(1, 3), []int{10, 20}},
		{nd.All().By(-2), []int{50, 30, 10}},
		{nd.From(9), []int{}},
		{nd.Pick(nd.FromSlice([]int{4, 0, -1})), []int{40, 0, 50}},
	} {
		got, err := data.Select(d, c.ix)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "selected", got, c.want)
	}
	refused(t, "6", func() { _, _ = data.Select(d, nd.At(6)) })
	if _, err := data.Select(failing{3, 1}, nd.All()); err == nil || !strings.Contains(err.Error(), "example 1: unreadable") {
		t.Errorf("error %v", err)
	}
}

func TestItems(t *testing.T) {
	x := nd.FromSlice([]int{1, 2, 3, 4, 5, 6}, 2, 3).T()
	for i, row := range all(t, data.Items(x)) {
		equal(t, "row", nd.ToSlice[int](row), []int{1 + i, 4 + i})
	}
	refused(t, "first axis", func() { data.Items(nd.Zeros(nil)) })
	refused(t, "index 3", func() { _, _ = data.Items(x).At(3) })
}

func TestMap(t *testing.T) {
	d := data.Map(data.Slice[int]{1, 2}, func(x int) (string, error) { return fmt.Sprint(x * x), nil })
	equal(t, "mapped", all(t, d), []string{"1", "4"})
	odd := data.Map(d, func(s string) (int, error) { return 0, errors.New(s) })
	if _, err := odd.At(1); err == nil || err.Error() != "4" {
		t.Errorf("error %v", err)
	}
	if _, err := data.Map(failing{2, 0}, func(x int) (int, error) { return x, nil }).At(0); err == nil {
		t.Error("an example that cannot be read was mapped")
	}
}

func TestZip(t *testing.T) {
	a, b := data.Slice[int]{1, 2}, data.Slice[int]{3, 4}
	equal(t, "tuples", all(t, data.Zip[int](a, b)), [][]int{{1, 3}, {2, 4}})
	equal(t, "by names", all(t, data.ZipNamed(map[string]data.Dataset[int]{"a": a, "b": b})), []map[string]int{{"a": 1, "b": 3}, {"a": 2, "b": 4}})
	refused(t, "data set 0 has 2 examples, data set 1 has 3", func() { data.Zip[int](a, data.Slice[int]{1, 2, 3}) })
	refused(t, "at least one", func() { data.Zip[int]() })
	refused(t, `"a" has 2 examples, "b" has 3`, func() {
		data.ZipNamed(map[string]data.Dataset[int]{"a": a, "b": data.Slice[int]{1, 2, 3}})
	})
	refused(t, "at least one", func() { data.ZipNamed[int](nil) })
	if _, err := data.Zip[int](a, failing{2, 1}).At(1); err == nil {
		t.Error("a tuple has an example that cannot be read")
	}
	if _, err := data.ZipNamed(map[string]data.Dataset[int]{"a": failing{2, 1}}).At(1); err == nil {
		t.Error("a dictionary has an example that cannot be read")
	}
}

func TestConcat(t *testing.T) {
	d := data.Concat[int](data.Slice[int]{1}, data.Slice[int]{}, data.Slice[int]{2, 3}, data.Slice[int]{})
	equal(t, "one after the other", all(t, d), []int{1, 2, 3})
	refused(t, "index 3 is out of range for 3", func() { _, _ = d.At(3) })
	refused(t, "index -1", func() { _, _ = d.At(-1) })
	if n := data.Concat[int]().Len(); n != 0 {
		t.Errorf("%d examples of nothing", n)
	}
}
