package data_test

import (
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	_ "github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/data"
)

func ints(v ...int) *nd.Array { return nd.FromSlice(v) }

func same(t *testing.T, what string, got *nd.Array, shape []int, want ...float64) {
	t.Helper()
	equal(t, what, got.Shape(), shape)
	equal(t, what, nd.ToSlice[float64](got.AsType(dtype.Float64)), want)
}

func TestCollate(t *testing.T) {
	same(t, "arrays", data.Collate{}.Arrays([]*nd.Array{ints(1, 2), ints(3, 4)}), []int{2, 2}, 1, 2, 3, 4)
	same(t, "numbers", data.Collate{}.Arrays([]*nd.Array{ints(1).Reshape(), ints(2).Reshape()}), []int{2}, 1, 2)
	same(t, "padded", data.Collate{Padding: new(-1.0)}.Arrays([]*nd.Array{ints(1), ints(3, 4), ints()}), []int{3, 2}, 1, -1, 3, 4, -1, -1)
	turned := nd.FromSlice([]float64{1, 2, 3, 4, 5, 6}, 2, 3).T()
	same(t, "of all axes", data.Collate{Padding: new(0.0)}.Arrays([]*nd.Array{turned, nd.FromSlice([]float32{7, 8, 9}, 1, 3)}),
		[]int{2, 3, 3}, 1, 4, 0, 2, 5, 0, 3, 6, 0, 7, 8, 9, 0, 0, 0, 0, 0, 0)
	if dt := (data.Collate{}).Arrays([]*nd.Array{nd.FromSlice([]float32{1}), nd.FromSlice([]float64{1})}).DType(); dt != dtype.Float64 {
		t.Errorf("float32 and float64 give %s", dt)
	}
	batch := data.Collate{Padding: new(0.0)}.Tuples([][]*nd.Array{{ints(1), ints(2)}, {ints(3, 4), ints(5)}})
	same(t, "first of tuples", batch[0], []int{2, 2}, 1, 0, 3, 4)
	same(t, "second of tuples", batch[1], []int{2, 1}, 2, 5)
	batch = data.Collate{Paddings: []float64{7, 8}}.Tuples([][]*nd.Array{{ints(1), ints(2, 3)}, {ints(3, 4), ints(5)}})
	same(t, "padding of the first", batch[0], []int{2, 2}, 1, 7, 3, 4)
	same(t, "padding of the second", batch[1], []int{2, 2}, 2, 3, 5, 8)
	named := data.Collate{Padding: new(9.0), NamedPaddings: map[string]float64{"y": -9}}.Dicts([]map[string]*nd.Array{
		{"x": ints(1), "y": ints(2, 3)}, {"x": ints(3, 4), "y": ints(5)}})
	same(t, "x", named["x"], []int{2, 2}, 1, 9, 3, 4)
	same(t, "y", named["y"], []int{2, 2}, 2, 3, 5, -9)
}

func TestCollateOnADevice(t *testing.T) {
	ref, err := device.Get("ref")
	if err != nil {
		t.Fatal(err)
	}
	if x := (data.Collate{Device: ref}).Arrays([]*nd.Array{ints(1), ints(2)}); x.Device() != ref {
		t.Errorf("a batch on %v", x.Device())
	}
}

func TestCollateRefuses(t *testing.T) {
	pad := data.Collate{Padding: new(0.0)}
	refused(t, "without examples", func() { data.Collate{}.Arrays(nil) })
	refused(t, "without examples", func() { data.Collate{}.Tuples(nil) })
	refused(t, "without examples", func() { data.Collate{}.Dicts(nil) })
	refused(t, "shapes (2,) and, at 1 in the batch, (1,)", func() { data.Collate{}.Arrays([]*nd.Array{ints(1, 2), ints(1)}) })
	refused(t, "equally many axes", func() { pad.Arrays([]*nd.Array{ints(1, 2), ints(1, 2).Reshape(1, 2)}) })
	refused(t, "nil", func() { pad.Arrays([]*nd.Array{ints(1), nil}) })
	refused(t, "a tuple of 1 arrays, and at 1 in the batch one of 2", func() { pad.Tuples([][]*nd.Array{{ints(1)}, {ints(1), ints(2)}}) })
	refused(t, "1 paddings for tuples of 2", func() { data.Collate{Paddings: []float64{1}}.Tuples([][]*nd.Array{{ints(1), ints(1)}}) })
	for _, other := range []map[string]*nd.Array{{"y": ints(1)}, {"x": ints(1), "y": ints(1)}, {}} {
		refused(t, "names of example 1", func() { pad.Dicts([]map[string]*nd.Array{{"x": ints(1)}, other}) })
	}
}

// A batch of examples that do not fit together is an error of that batch.
func TestExamples(t *testing.T) {
	d := data.Slice[*nd.Array]{ints(1), ints(2), ints(3, 4)}
	load := data.Examples(d, data.Collate{}.Arrays)
	if x, err := load([]int{1, 0}); err != nil {
		t.Error(err)
	} else {
		same(t, "batch", x, []int{2, 1}, 2, 1)
	}
	if _, err := load([]int{0, 2}); err == nil || !strings.Contains(err.Error(), "examples [0 2]: data.Collate: shapes") {
		t.Errorf("error %v", err)
	}
	sum := data.Examples(failing{5, 3}, func(list []int) (n int) {
		for _, v := range list {
			n += v
		}
		return n
	})
	if n, err := sum([]int{1, 2, 4}); n != 7 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if _, err := sum([]int{1, 3}); err == nil || !strings.Contains(err.Error(), "example 3: unreadable") {
		t.Errorf("error %v", err)
	}
}
