package catalogue

import (
	"errors"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// everything has a field of every kind of option.
type everything struct {
	BaseAxis int
	Axes     []int
	Eps      *float64
	DType    dtype.DType
	Where    *nd.Array
	Mode     string
	KeepDims bool
	Pad      [][2]int
	Z        complex128
}

// called records what a bound function got.
type called struct {
	x    *nd.Array
	xs   []*nd.Array
	rng  *nd.Rand
	opts []everything
	rest any
}

// bindTo binds a row and calls it.
func bindTo(t *testing.T, row Row, args map[string]any, defaults bool) error {
	t.Helper()
	f, err := Bind(&row)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.Call(nil, args, CallOptions{Defaults: defaults})
	return err
}

// vector returns an array of n elements.
func vector(n int) *nd.Array { return nd.Zeros([]int{n}) }

func TestBindOptions(t *testing.T) {
	var got called
	row := Row{
		Signature: "f(x, base_axis=1, axis=None, eps=1e-5, dtype=None, where=True, mode='same', keepdims=False, pad=None, z=0, name=None)",
		Func:      func(x *nd.Array, opts ...everything) { got = called{x: x, opts: opts} },
		Ignores:   []string{"name"},
	}
	args := map[string]any{"x": vector(1)}
	if err := bindTo(t, row, args, false); err != nil {
		t.Fatal(err)
	}
	if got.x.Size() != 1 || len(got.opts) != 0 {
		t.Errorf("with nothing given: %+v", got)
	}
	if err := bindTo(t, row, args, true); err != nil {
		t.Fatal(err)
	}
	if len(got.opts) != 1 {
		t.Fatalf("with the document's defaults: %+v", got)
	}
	o := got.opts[0]
	if o.BaseAxis != 1 || o.Axes != nil || *o.Eps != 1e-5 || o.DType != dtype.Unspecified || o.Where != nil || o.Mode != "same" {
		t.Errorf("defaults %+v", o)
	}
	args = map[string]any{"x": vector(1), "axis": 2, "eps": 3, "dtype": dtype.Int8, "where": vector(1), "keepdims": true,
		"pad": [][]int{{1, 2}}, "z": complex64(complex(1, 2))}
	if err := bindTo(t, row, args, false); err != nil {
		t.Fatal(err)
	}
	o = got.opts[0]
	if o.BaseAxis != 0 || !slices.Equal(o.Axes, []int{2}) || *o.Eps != 3 || o.DType != dtype.Int8 || o.Where == nil || !o.KeepDims ||
		len(o.Pad) != 1 || o.Pad[0] != [2]int{1, 2} || o.Z != 1+2i {
		t.Errorf("given %+v", o)
	}
}

func TestBindPositions(t *testing.T) {
	var got called
	row := Row{
		Signature: "f(x, cudnn_off, xs, anything)",
		Func: func(x *nd.Array, rng *nd.Rand, xs []*nd.Array, anything any) {
			got = called{x: x, rng: rng, xs: xs, rest: anything}
		},
		Ignores: []string{"cudnn_off"},
	}
	args := map[string]any{"x": float32(2.5), "cudnn_off": true, "xs": []*nd.Array{vector(1), vector(2)}, "anything": []any{nil, true, vector(1)}}
	if err := bindTo(t, row, args, false); err != nil {
		t.Fatal(err)
	}
	if !got.x.IsScalar() || nd.Value[float64](got.x) != 2.5 || got.rng == nil || len(got.xs) != 2 || got.xs[1].Size() != 2 {
		t.Errorf("%+v", got)
	}
	rest, ok := got.rest.([]any)
	if !ok || len(rest) != 3 || rest[0] != nil || rest[1] != true {
		t.Errorf("anything is %#v", got.rest)
	}
	if _, ok := rest[2].(*nd.Array); !ok {
		t.Errorf("an array in a list is a %T", rest[2])
	}
}

func TestBindVariadic(t *testing.T) {
	var axes []int
	row := Row{Signature: "f(x, axes=None)", Func: func(x *nd.Array, a ...int) { axes = a }}
	if err := bindTo(t, row, map[string]any{"x": vector(1), "axes": []int{1, 0}}, false); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(axes, []int{1, 0}) {
		t.Errorf("axes %v", axes)
	}
	if err := bindTo(t, row, map[string]any{"x": vector(1)}, true); err != nil || axes != nil {
		t.Errorf("axes %v, %v, want none", axes, err)
	}
}

func TestBindRefusesRows(t *testing.T) {
	for name, row := range map[string]Row{
		"no function":            {Signature: "f(x)", Func: 1},
		"no parameter":           {Signature: "f(x, y)", Func: func(x *nd.Array) {}},
		"no field":               {Signature: "f(x, y)", Func: func(x *nd.Array, opts ...everything) {}},
		"too many parameters":    {Signature: "f(x)", Func: func(x, y *nd.Array) {}},
		"unknown name in Writes": {Signature: "f(x)", Func: func(x *nd.Array) {}, Writes: []string{"y"}},
	} {
		if _, err := Bind(&row); err == nil {
			t.Errorf("%s: bound", name)
		}
	}
}

func TestArgumentsRefuse(t *testing.T) {
	row := Row{Signature: "f(x, n=1)", Func: func(x *nd.Array, n int) {}}
	x := vector(1)
	for _, c := range []struct {
		name string
		args map[string]any
		kind RefusalKind
	}{
		{"unknown argument", map[string]any{"x": x, "m": 1}, Misuse},
		{"missing argument", map[string]any{"n": 1}, Misuse},
		{"list for an int", map[string]any{"x": x, "n": []int{1}}, Unfit},
		{"float for an int", map[string]any{"x": x, "n": 1.5}, Unfit},
		{"bool for an int", map[string]any{"x": x, "n": true}, Unfit},
		{"text for an array", map[string]any{"x": "k"}, Unfit},
		{"ragged list", map[string]any{"x": []any{[]int{1}, []int{1, 2}}}, Unfit},
		{"huge integer", map[string]any{"x": x, "n": new(big.Int).Lsh(big.NewInt(1), 70)}, Unfit},
		{"a type that is not supported", map[string]any{"x": x, "n": map[string]int{}}, Unfit},
	} {
		var refused *Refusal
		if err := bindTo(t, row, c.args, false); !errors.As(err, &refused) || refused.Kind != c.kind {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestConvertIndices(t *testing.T) {
	x := nd.ArangeInt(0, 24, 1).Reshape(2, 3, 4)
	c := &converter{array: func(_ string, x *nd.Array) *nd.Array { return x }}
	indices := nd.FromSlice([]int{1, 0})
	for _, ix := range []struct {
		v    any
		want []int
	}{
		{1, []int{3, 4}},
		{[]any{-1, "newaxis", Slice{Stop: -1}}, []int{1, 2, 4}},
		{[]any{"...", Slice{Step: -2}}, []int{2, 3, 2}},
		{[]any{nil, Slice{Start: 1}}, []int{1, 1, 3, 4}},
		{[]any{Slice{}, indices}, []int{2, 2, 4}},
		{[]*nd.Array{indices, indices}, []int{2, 4}},
		{[]nd.Index{nd.At(0), nd.From(1)}, []int{2, 4}},
		{nd.Ellipsis(), []int{2, 3, 4}},
		{true, []int{1, 2, 3, 4}},
		{[]any{}, []int{2, 3, 4}},
	} {
		out, err := c.convert("index", plain(ix.v), indicesType)
		if err != nil {
			t.Errorf("%v: %v", ix.v, err)
			continue
		}
		if y := x.Index(out.Interface().([]nd.Index)...); !slices.Equal(y.Shape(), ix.want) {
			t.Errorf("%v: shape %v, want %v", ix.v, y.Shape(), ix.want)
		}
	}
	if _, err := c.convert("index", 1.5, indicesType); err == nil {
		t.Error("a float was converted to an index")
	}
}

func TestArrayOfList(t *testing.T) {
	for _, c := range []struct {
		list  any
		dt    dtype.DType
		shape []int
	}{
		{[]int{1, 2}, dtype.Int64, []int{2}},
		{[][]int{{1, 2}, {3, 4}, {5, 6}}, dtype.Int64, []int{3, 2}},
		{[]bool{true, false}, dtype.Bool, []int{2}},
		{[]any{true, 2.5}, dtype.Float64, []int{2}},
		{[]any{}, dtype.Float64, []int{0}},
	} {
		x, ok := arrayOfList(plain(c.list).([]any))
		if !ok || x.DType() != c.dt || !slices.Equal(x.Shape(), c.shape) {
			t.Errorf("%v: %v %v", c.list, x.DType(), x.Shape())
		}
	}
}

// TestCatalogueBinds fails for rows that do not match their function, and for rows whose names no document has.
func TestCatalogueBinds(t *testing.T) {
	if _, err := BindAll(Rows()); err != nil {
		t.Fatal(err)
	}
	for _, row := range Rows() {
		name := row.Name()
		// Attributes that the documents mention in passing.
		beyond := name == "cupy.ndarray.dtype" || name == "chainer.links.NegativeSampling.sampler"
		for _, prefix := range []string{"numpy.", "torch.", "accuracy.", "chainer.utils.conv.", "nnabla.solvers.", "nnabla.utils.", "nnabla.training."} {
			beyond = beyond || strings.HasPrefix(name, prefix)
		}
		if _, documented := slices.BinarySearch(documented, name); !beyond && !documented {
			t.Errorf("row %s: no document has this name", name)
		}
	}
}

// TestLeftOutNames fails for left-out names that no document has or that have a row.
func TestLeftOutNames(t *testing.T) {
	rows := map[string]bool{}
	for _, row := range Rows() {
		rows[row.Name()] = true
	}
	seen := map[string]bool{}
	for _, l := range LeftOutNames() {
		if _, ok := slices.BinarySearch(documented, l.Name); !ok {
			t.Errorf("%s: no document has this name", l.Name)
		}
		if rows[l.Name] || seen[l.Name] {
			t.Errorf("%s: has a row or is listed twice", l.Name)
		}
		seen[l.Name] = true
	}
}

func TestMissing(t *testing.T) {
	if got := Missing("cupy.add"); len(got) != 0 {
		t.Errorf("got %v, but cupy.add has a row", got)
	}
	if got := Missing("cupy.cuda.Device.use"); len(got) != 0 {
		t.Errorf("got %v, but these names are left out", got)
	}
}
