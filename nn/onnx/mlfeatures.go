package onnx

import (
	"math"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/model"
)

// features are the operators of the domain ai.onnx.ml that prepare inputs.
func features() map[string]operator {
	return prefixed("ai.onnx.ml.", map[string]operator{
		"ArrayFeatureExtractor": structural(plain(func(c *call) []model.Value {
			x, at := c.x(0), c.x(1).Reshape(-1)
			y := ops.Take(x, at, ops.Over(-1))
			if x.Rank() == 1 {
				y = y.Reshape(1, -1)
			}
			return one(y)
		})),
		"Binarizer": func(n *node) run {
			threshold := nd.Scalar(n.float("threshold", 0))
			return func(c *call) []model.Value {
				x := c.x(0)
				return one(ops.Greater(x, threshold).AsType(x.DType()))
			}
		},
		"CastMap":           castMap,
		"CategoryMapper":    categoryMapper,
		"DictVectorizer":    dictVectorizer,
		"FeatureVectorizer": featureVectorizer,
		"Imputer":           imputer,
		"LabelEncoder":      labelEncoder,
		"Normalizer":        normalizer,
		"OneHotEncoder":     oneHotEncoder,
		"Scaler":            scaler,
		"ZipMap":            zipMap,
	})
}

// prefixed adds a domain to the names of operators.
func prefixed(domain string, table map[string]operator) map[string]operator {
	all := map[string]operator{}
	for name, o := range table {
		all[domain+name] = o
	}
	return all
}

// scaler is (x - offset)·scale, with numbers for all features or for each.
func scaler(n *node) run {
	offset, scale := n.floats("offset"), n.floats("scale")
	return func(c *call) []model.Value {
		x := c.x(0)
		if !x.DType().IsInexact() {
			x = x.AsType(dtype.Float32)
		}
		if offset != nil {
			x = ops.Subtract(x, nd.FromSlice(offset).AsType(x.DType()).To(x.Device()))
		}
		if scale != nil {
			x = ops.Multiply(x, nd.FromSlice(scale).AsType(x.DType()).To(x.Device()))
		}
		return one(x.AsType(dtype.Float32))
	}
}

func normalizer(n *node) run {
	norm := n.text("norm", "MAX", "MAX", "L1", "L2")
	return func(c *call) []model.Value {
		x := c.x(0)
		if x.DType() != dtype.Float64 {
			x = x.AsType(dtype.Float32)
		}
		p := map[string]float64{"L1": 1, "L2": 2, "MAX": math.Inf(1)}[norm]
		over := ops.ReduceOptions{Axes: ops.Over(-1), KeepDims: true}
		var size *nd.Array
		if norm == "MAX" {
			size = ops.Max(ops.Absolute(x), over)
		} else {
			size = ops.Norm(x, ops.NormOptions{P: &p, Axes: ops.Over(-1), KeepDims: true})
		}
		y := ops.Divide(x, ops.Where(ops.Equal(size, 0), nd.Scalar(1), size).AsType(x.DType()))
		return one(y.AsType(dtype.Float32))
	}
}

func imputer(n *node) run {
	values, replaced := n.floats("imputed_value_floats"), n.float("replaced_value_float", 0)
	whole, replacedWhole := n.ints("imputed_value_int64s"), n.int("replaced_value_int64", 0)
	return func(c *call) []model.Value {
		x := c.x(0)
		var hit, by *nd.Array
		switch {
		case whole != nil && x.DType().IsInteger():
			hit, by = ops.Equal(x, replacedWhole), nd.FromSlice(whole)
		case math.IsNaN(replaced):
			hit, by = ops.IsNaN(x), nd.FromSlice(values)
		default:
			hit, by = ops.Equal(x, replaced), nd.FromSlice(values)
		}
		return one(ops.Where(hit, by.AsType(x.DType()).To(x.Device()), x))
	}
}

func featureVectorizer(n *node) run {
	widths := n.ints("inputdimensions")
	return func(c *call) []model.Value {
		var columns []*nd.Array
		for i, x := range c.xs(0) {
			if x.Rank() == 1 {
				x = x.ExpandDims(1)
			}
			if x.Rank() != 2 || i >= len(widths) {
				c.refuse("input %d: want a vector or a matrix, and a dimension for each input", i)
			}
			columns = append(columns, padOrCut(x, [][2]int{{}, {0, widths[i] - x.Dim(1)}}, ops.PadOptions{}).AsType(dtype.Float32))
		}
		return one(ops.Concatenate(columns, ops.Over(1)))
	}
}

// keysOf returns the elements of a tensor as keys of a Map.
func (c *call) keysOf(i int) (keys []any, shape []int) {
	if t, ok := c.value(i).(Texts); ok {
		for _, s := range t.Values {
			keys = append(keys, s)
		}
		return keys, t.Shape
	}
	x := c.x(i)
	if x.DType().IsInexact() {
		for _, v := range nd.ToSlice[float32](x.Detach().AsType(dtype.Float32)) {
			keys = append(keys, keyOfFloat(v))
		}
		return keys, x.Shape()
	}
	for _, v := range nd.ToSlice[int64](x.Detach().AsType(dtype.Int64)) {
		keys = append(keys, v)
	}
	return keys, x.Shape()
}

// keyOfFloat makes all NaN the same key.
func keyOfFloat(v float32) any {
	if v != v {
		return "NaN of a float"
	}
	return v
}

// labels is a tensor of int64, float32 or texts that is made of a list.
func labelsOf(values []any, shape []int) model.Value {
	t := Texts{Shape: shape}
	var whole []int64
	var floats []float32
	for _, v := range values {
		switch v := v.(type) {
		case string:
			t.Values = append(t.Values, v)
		case int64:
			whole = append(whole, v)
		case float32:
			floats = append(floats, v)
		}
	}
	switch {
	case len(floats) > 0:
		return nd.FromSlice(floats, shape...)
	case len(whole) > 0:
		return nd.FromSlice(whole, shape...)
	case len(t.Values) == 0 && broadcast.Size(shape) == 0:
		return nd.Zeros(shape, dtype.Int64)
	}
	return t
}

// list returns the first attribute that is there of a name with the endings of its types, or of a tensor.
func (n *node) list(name string) (values []any) {
	for _, s := range n.texts(name + "_strings") {
		values = append(values, s)
	}
	for _, v := range n.ints(name + "_int64s") {
		values = append(values, int64(v))
	}
	for _, v := range n.floats(name + "_floats") {
		values = append(values, v)
	}
	switch v := n.tensor(name + "_tensor").(type) {
	case Texts:
		for _, s := range v.Values {
			values = append(values, s)
		}
	case *nd.Array:
		if v.DType().IsInteger() {
			for _, k := range nd.ToSlice[int64](v.AsType(dtype.Int64)) {
				values = append(values, k)
			}
		} else {
			for _, k := range nd.ToSlice[float32](v.AsType(dtype.Float32)) {
				values = append(values, k)
			}
		}
	}
	return values
}

// labelEncoder replaces keys by values. In the form of opset 1 texts become their indices, or the other way round.
func labelEncoder(n *node) run {
	keys, values := n.list("keys"), n.list("values")
	if n.opset < 2 {
		for i, s := range n.texts("classes_strings") {
			keys, values = append(keys, s, int64(i)), append(values, int64(i), s)
		}
	}
	if len(keys) != len(values) || len(keys) == 0 {
		n.refuse("%d keys, and %d values", len(keys), len(values))
		return nil
	}
	table := map[any]any{}
	for i, k := range keys {
		if f, ok := k.(float32); ok {
			k = keyOfFloat(f)
		}
		if _, twice := table[k]; !twice {
			table[k] = values[i]
		}
	}
	missing := n.missingLabel(values)
	var tensor dtype.DType
	if v, ok := n.tensor("values_tensor").(*nd.Array); ok {
		tensor = v.DType()
	}
	return func(c *call) []model.Value {
		keys, shape := c.keysOf(0)
		result := make([]any, len(keys))
		for i, k := range keys {
			v, ok := table[k]
			if !ok {
				v = missing(k)
			}
			result[i] = v
		}
		y := labelsOf(result, shape)
		if x, ok := y.(*nd.Array); ok && tensor.Valid() {
			y = x.AsType(tensor)
		}
		return []model.Value{y}
	}
}

// missingLabel returns the function that gives the label of a key which is not in the table.
func (n *node) missingLabel(values []any) func(key any) any {
	text, whole, float := n.text("default_string", "_Unused"), int64(n.int("default_int64", -1)), float32(n.float("default_float", float32(math.Copysign(0, -1))))
	switch d := n.tensor("default_tensor").(type) {
	case Texts:
		if len(d.Values) == 1 {
			return func(any) any { return d.Values[0] }
		}
	case *nd.Array:
		if v := number(d); d.DType().IsInteger() {
			return func(any) any { return int64(v) }
		} else {
			return func(any) any { return float32(v) }
		}
	}
	return func(key any) any {
		_, fromText := key.(string)
		if n.opset < 2 && fromText {
			return whole
		} else if n.opset < 2 {
			return text
		}
		switch values[0].(type) {
		case string:
			return text
		case int64:
			return whole
		}
		return float
	}
}

// categoryMapper replaces texts by integers, or integers by texts.
func categoryMapper(n *node) run {
	whole, words := n.ints("cats_int64s"), n.texts("cats_strings")
	if len(whole) != len(words) {
		n.refuse("%d integers, and %d texts", len(whole), len(words))
		return nil
	}
	missingText, missing := n.text("default_string", "_Unused"), int64(n.int("default_int64", -1))
	table := map[any]any{}
	for i, s := range words {
		table[s], table[int64(whole[i])] = int64(whole[i]), s
	}
	return func(c *call) []model.Value {
		keys, shape := c.keysOf(0)
		for i, k := range keys {
			v, ok := table[k]
			if _, isText := k.(string); !ok && isText {
				v = missing
			} else if !ok {
				v = missingText
			}
			keys[i] = v
		}
		return []model.Value{labelsOf(keys, shape)}
	}
}

func oneHotEncoder(n *node) run {
	columns := map[any]int{}
	for i, v := range n.ints("cats_int64s") {
		columns[int64(v)] = i
	}
	for i, s := range n.texts("cats_strings") {
		columns[s] = i
	}
	zeros := n.int("zeros", 1) != 0
	return func(c *call) []model.Value {
		if x, ok := c.value(0).(*nd.Array); ok && x.DType().IsInexact() {
			c.in[0] = x.AsType(dtype.Int64)
		}
		keys, shape := c.keysOf(0)
		y := make([]float32, len(keys)*len(columns))
		for i, k := range keys {
			at, ok := columns[k]
			if ok {
				y[i*len(columns)+at] = 1
			} else if !zeros {
				c.refuse("%v is no category", k)
			}
		}
		return one(nd.FromSlice(y, append(append([]int{}, shape...), len(columns))...))
	}
}
