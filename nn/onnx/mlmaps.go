package onnx

import (
	"slices"
	"strconv"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/model"
)

// Map is a map whose keys are int64 or string, and whose values are float32, float64, int64 or string.
type Map map[any]any

// zipMap makes a map from labels to the numbers of each row.
func zipMap(n *node) run {
	var keys []any
	for _, s := range n.texts("classlabels_strings") {
		keys = append(keys, s)
	}
	for _, v := range n.ints("classlabels_int64s") {
		keys = append(keys, int64(v))
	}
	return func(c *call) []model.Value {
		x := c.x(0)
		if x.Rank() == 1 {
			x = x.Reshape(1, -1)
		}
		if x.Rank() != 2 || x.Dim(1) != len(keys) {
			c.refuse("want a matrix with %d columns", len(keys))
		}
		values := nd.ToSlice[float32](x.Detach().AsType(dtype.Float32))
		rows := Sequence{}
		for r := range x.Dim(0) {
			row := Map{}
			for k, key := range keys {
				row[key] = values[r*len(keys)+k]
			}
			rows = append(rows, row)
		}
		return []model.Value{rows}
	}
}

// mapOf returns an input that is a map.
func (c *call) mapOf(i int) Map {
	m, ok := c.value(i).(Map)
	if !ok {
		c.refuse("input %d is a %s, not a map", i, describe(c.in[i]))
	}
	return m
}

// dictVectorizer puts the values of a map into the columns of their keys.
func dictVectorizer(n *node) run {
	var keys []any
	for _, s := range n.texts("string_vocabulary") {
		keys = append(keys, s)
	}
	for _, v := range n.ints("int64_vocabulary") {
		keys = append(keys, int64(v))
	}
	return func(c *call) []model.Value {
		m := c.mapOf(0)
		values := make([]any, len(keys))
		for i, k := range keys {
			v, ok := m[k]
			if f, double := v.(float64); double {
				v = float32(f)
			}
			if !ok {
				v = zeroLike(m)
			}
			values[i] = v
		}
		return []model.Value{labelsOf(values, []int{1, len(keys)})}
	}
}

// zeroLike returns a zero of the type of a map's values.
func zeroLike(m Map) any {
	for _, v := range m {
		switch v.(type) {
		case string:
			return ""
		case int64:
			return int64(0)
		}
		break
	}
	return float32(0)
}

// castMap makes a row of the values of a map with integer keys, in the order of the keys.
func castMap(n *node) run {
	to := n.text("cast_to", "TO_FLOAT", "TO_FLOAT", "TO_STRING", "TO_INT64")
	sparse, width := n.text("map_form", "DENSE", "DENSE", "SPARSE") == "SPARSE", n.int("max_map", 1)
	return func(c *call) []model.Value {
		m := c.mapOf(0)
		size := len(m)
		if sparse {
			size = width
		}
		var order []int64
		for k := range m {
			if at, ok := k.(int64); ok {
				order = append(order, at)
			}
		}
		slices.Sort(order)
		row := make([]any, max(size, 0))
		for i := range row {
			row[i] = castValue(nil, to)
		}
		for i, k := range order {
			at := i
			if sparse {
				at = int(k)
			}
			if at >= 0 && at < len(row) {
				row[at] = castValue(m[k], to)
			}
		}
		return []model.Value{labelsOf(row, []int{1, len(row)})}
	}
}

// castValue converts a value of a map.
func castValue(v any, to string) any {
	f, text := 0.0, "0"
	switch v := v.(type) {
	case float32:
		f, text = float64(v), strconv.FormatFloat(float64(v), 'g', -1, 32)
	case float64:
		f, text = v, strconv.FormatFloat(v, 'g', -1, 64)
	case int64:
		f, text = float64(v), strconv.FormatInt(v, 10)
	case string:
		f, _ = strconv.ParseFloat(v, 64)
		text = v
	}
	switch to {
	case "TO_STRING":
		return text
	case "TO_INT64":
		return int64(f)
	}
	return float32(f)
}
