package onnx

import (
	"math"
	"strconv"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/model"
)

// casts are the operators that change the type of elements.
func casts() map[string]operator {
	return map[string]operator{"Cast": cast, "CastLike": castLike, "BitCast": bitCast}
}

// conversion reads the attributes about conversions to narrow floats.
func (n *node) conversion() conversion {
	return conversion{n.int("saturate", 1) == 0, n.text("round_mode", "up", "up", "down", "nearest")}
}

// cast has its type as a text before opset 6.
func cast(n *node) run {
	var to ElementType
	if n.opset < 6 {
		name := n.text("to", "")
		for i, known := range elementNames {
			if known == strings.ToUpper(name) {
				to = ElementType(i)
			}
		}
	} else {
		to = n.elementType("to", 0)
	}
	if to == 0 {
		n.refuse("no type")
	}
	how := n.conversion()
	return func(c *call) []model.Value { return []model.Value{c.cast(c.value(0), to, how)} }
}

func castLike(n *node) run {
	how := n.conversion()
	return func(c *call) []model.Value {
		var to ElementType
		switch like := c.value(1).(type) {
		case *nd.Array:
			to = ElementTypeOf(like.DType())
		case Narrow:
			to = like.Type
		case Texts:
			to = String
		default:
			c.refuse("input 1 is a %s", describe(like))
		}
		return []model.Value{c.cast(c.value(0), to, how)}
	}
}

// cast converts a tensor to another type.
func (c *call) cast(v model.Value, to ElementType, how conversion) model.Value {
	if t, ok := v.(Texts); ok {
		if to == String {
			return t
		}
		v = c.parse(t, to)
	}
	x := arrayIn(v)
	switch {
	case x == nil:
		c.refuse("input 0 is a %s", describe(v))
	case to == String:
		return texts(x)
	case to.IsNarrow():
		return how.narrow(x, to)
	}
	return x.AsType(to.DType())
}

// parse reads numbers from texts.
func (c *call) parse(t Texts, to ElementType) *nd.Array {
	if to.DType().IsInteger() {
		whole := make([]int64, len(t.Values))
		for i, s := range t.Values {
			n, err := strconv.ParseInt(strings.TrimSpace(s), 10, 64)
			if err != nil {
				f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
				if err != nil {
					c.refuse("the text %q is not a number", s)
				}
				n = int64(f)
			}
			whole[i] = n
		}
		return nd.FromSlice(whole, t.Shape...)
	}
	values := make([]float64, len(t.Values))
	for i, s := range t.Values {
		f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil && !math.IsInf(f, 0) {
			c.refuse("the text %q is not a number", s)
		}
		values[i] = f
	}
	return nd.FromSlice(values, t.Shape...)
}

// texts writes numbers as texts.
func texts(x *nd.Array) Texts {
	t := Texts{Shape: x.Shape(), Values: make([]string, 0, x.Size())}
	bits := 32
	if x.DType() == dtype.Float64 {
		bits = 64
	}
	switch {
	case x.DType() == dtype.Bool:
		for _, v := range nd.ToSlice[bool](x) {
			t.Values = append(t.Values, map[bool]string{true: "True", false: "False"}[v])
		}
	case x.DType() == dtype.Uint64:
		for _, v := range nd.ToSlice[uint64](x) {
			t.Values = append(t.Values, strconv.FormatUint(v, 10))
		}
	case x.DType().IsInteger():
		for _, v := range nd.ToSlice[int64](x.Detach().AsType(dtype.Int64)) {
			t.Values = append(t.Values, strconv.FormatInt(v, 10))
		}
	default:
		for _, v := range nd.ToSlice[float64](x.Detach().AsType(dtype.Float64)) {
			t.Values = append(t.Values, number64(v, bits))
		}
	}
	return t
}

// number64 writes a float as ONNX's reference does: with up to 8 or 16 digits, and without an exponent where it is short.
func number64(v float64, bits int) string {
	switch {
	case math.IsNaN(v):
		return "NaN"
	case math.IsInf(v, 1):
		return "INF"
	case math.IsInf(v, -1):
		return "-INF"
	}
	if a := math.Abs(v); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.FormatFloat(v, 'e', -1, bits)
	}
	return strconv.FormatFloat(v, 'f', -1, bits)
}

// bitCast reads the bits of elements as another type of the same size.
func bitCast(n *node) run {
	to := n.elementType("to", 0)
	if to == 0 || to == String || to.IsNarrow() {
		n.refuse("attribute to is %s", to)
	}
	return func(c *call) []model.Value {
		x := c.x(0)
		if x.DType().Size() != to.DType().Size() {
			c.refuse("elements of %d bytes do not become %s", x.DType().Size(), to)
		}
		flat := x.Detach().Contiguous().Reshape(-1)
		return one(flat.View(to.DType()).Reshape(x.Shape()...))
	}
}
