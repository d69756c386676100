package catalogue

import (
	"errors"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// everything has a field of every kind that options have.
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

// called is what a bound function was given.
type called struct {
	x    *nd.Array
	xs   []*nd.Array
	rng  *nd.Rand
	opts []everything
	rest any
}

// bindTo binds a row and calls it.
func bindTo(t *testing.T, row Row, args golden.Object, explicit bool) error {
	t.Helper()
	b, err := Bind(&row)
	if err != nil {
		t.Fatal(err)
	}
	load := func(path, key string) (*nd.Array, error) {
		return nd.FromSlice([]float64{float64(len(key))}), nil
	}
	in, err := b.Arguments(args, explicit, &Converter{Load: load})
	if err != nil {
		return err
	}
	b.Call(in)
	return nil
}

func object(members ...any) golden.Object {
	var o golden.Object
	for i := 0; i < len(members); i += 2 {
		v := members[i+1]
		if n, ok := v.(int); ok {
			v = big.NewInt(int64(n))
		}
		o = append(o, golden.Member{Name: members[i].(string), Value: v})
	}
	return o
}

func ints(values ...int64) golden.List {
	var list golden.List
	for _, v := range values {
		list = append(list, big.NewInt(v))
	}
	return list
}

func TestBindOptions(t *testing.T) {
	var got called
	row := Row{
		Signature: "f(x, base_axis=1, axis=None, eps=1e-5, dtype=None, where=True, mode='same', keepdims=False, pad=None, z=0, name=None)",
		Func:      func(x *nd.Array, opts ...everything) { got = called{x: x, opts: opts} },
		Ignores:   []string{"name"},
	}
	args := object("x", golden.Array("k"))
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
	args = object("x", golden.Array("k"), "axis", 2, "eps", 3, "dtype", golden.DType("int8"), "where", golden.Array("k"), "keepdims", true,
		"pad", golden.List{ints(1, 2)}, "z", complex(1, 2))
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
	args := object("x", 2.5, "cudnn_off", true, "xs", golden.Arrays{"a", "bc"}, "anything", golden.List{nil, true, golden.Array("k")})
	if err := bindTo(t, row, args, false); err != nil {
		t.Fatal(err)
	}
	if !got.x.IsScalar() || nd.Value[float64](got.x) != 2.5 || got.rng == nil || len(got.xs) != 2 || nd.Value[int](got.xs[1]) != 2 {
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
	if err := bindTo(t, row, object("x", golden.Array("k"), "axes", ints(1, 0)), false); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(axes, []int{1, 0}) {
		t.Errorf("axes %v", axes)
	}
	if err := bindTo(t, row, object("x", golden.Array("k")), true); err != nil || axes != nil {
		t.Errorf("axes %v, %v, want none", axes, err)
	}
}

func TestBindRefusesRows(t *testing.T) {
	for name, row := range map[string]Row{
		"no function":            {Signature: "f(x)", Func: 1},
		"no place":               {Signature: "f(x, y)", Func: func(x *nd.Array) {}},
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
	for _, c := range []struct {
		name  string
		args  golden.Object
		unfit bool
	}{
		{"unknown argument", object("x", golden.Array("k"), "m", 1), false},
		{"missing argument", object("n", 1), false},
		{"list for an int", object("x", golden.Array("k"), "n", ints(1)), true},
		{"float for an int", object("x", golden.Array("k"), "n", 1.5), true},
		{"bool for an int", object("x", golden.Array("k"), "n", true), true},
		{"text for an array", object("x", "k"), true},
		{"ragged list", object("x", golden.List{ints(1), ints(1, 2)}), true},
		{"huge integer", object("x", golden.Array("k"), "n", new(big.Int).Lsh(big.NewInt(1), 70)), true},
	} {
		err := bindTo(t, row, c.args, false)
		var unfit *UnfitError
		if err == nil || errors.As(err, &unfit) != c.unfit {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestConvertIndices(t *testing.T) {
	x := nd.ArangeInt(0, 24, 1).Reshape(2, 3, 4)
	c := &Converter{Load: func(path, key string) (*nd.Array, error) { return nd.FromSlice([]int{2, 0}), nil }}
	for _, ix := range []struct {
		v    golden.Value
		want []int
	}{
		{big.NewInt(1), []int{3, 4}},
		{golden.List{big.NewInt(-1), "newaxis", golden.Slice{Stop: big.NewInt(-1)}}, []int{1, 2, 4}},
		{golden.List{"...", golden.Slice{Step: big.NewInt(-2)}}, []int{2, 3, 2}},
		{golden.List{nil, golden.Slice{Start: big.NewInt(1)}}, []int{1, 1, 3, 4}},
		{golden.List{golden.Slice{}, golden.Array("k")}, []int{2, 2, 4}},
		{golden.Arrays{"k"}, nil},
		{true, []int{1, 2, 3, 4}},
		{golden.List{}, []int{2, 3, 4}},
	} {
		out, err := c.convert("index", ix.v, indicesType)
		if err != nil {
			t.Errorf("%v: %v", ix.v, err)
			continue
		}
		if ix.want == nil {
			continue // out of range for this array: only the conversion counts
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
		list  golden.List
		dt    dtype.DType
		shape []int
	}{
		{ints(1, 2), dtype.Int64, []int{2}},
		{golden.List{ints(1, 2), ints(3, 4), ints(5, 6)}, dtype.Int64, []int{3, 2}},
		{golden.List{true, false}, dtype.Bool, []int{2}},
		{golden.List{true, 2.5}, dtype.Float64, []int{2}},
		{golden.List{}, dtype.Float64, []int{0}},
	} {
		x, ok := arrayOfList(c.list)
		if !ok || x.DType() != c.dt || !slices.Equal(x.Shape(), c.shape) {
			t.Errorf("%v: %v %v", c.list, x.DType(), x.Shape())
		}
	}
}

// TestCatalogueBinds finds rows that do not fit their function, and rows whose names no document has.
func TestCatalogueBinds(t *testing.T) {
	if _, err := BindAll(Rows()); err != nil {
		t.Fatal(err)
	}
	for _, row := range Rows() {
		name, _, _ := strings.Cut(row.Signature, "(")
		beyond := name == "cupy.ndarray.dtype" // an attribute that the document names in passing
		for _, prefix := range []string{"numpy.", "accuracy.", "nnabla.solvers.", "nnabla.utils.", "nnabla.training."} {
			beyond = beyond || strings.HasPrefix(name, prefix)
		}
		if _, documented := slices.BinarySearch(documented, name); !beyond && !documented {
			t.Errorf("row %s: no document has this name", name)
		}
	}
}

// TestLeftOutNames finds names that are left out for nothing: no document has them, or there is a row.
func TestLeftOutNames(t *testing.T) {
	rows := map[string]bool{}
	for _, row := range Rows() {
		name, _, _ := strings.Cut(row.Signature, "(")
		rows[name] = true
	}
	seen := map[string]bool{}
	for _, l := range LeftOutNames() {
		if _, ok := slices.BinarySearch(documented, l.Name); !ok {
			t.Errorf("%s: no document has this name", l.Name)
		}
		if rows[l.Name] || seen[l.Name] {
			t.Errorf("%s: there is a row, or it stands twice", l.Name)
		}
		seen[l.Name] = true
	}
}

func TestMissing(t *testing.T) {
	if got := Missing("cupy.add"); len(got) != 0 {
		t.Errorf("%v, but there is a row for cupy.add", got)
	}
	if got := Missing("cupy.cuda.Stream"); len(got) != 0 {
		t.Errorf("%v, but these names are left out", got)
	}
}
