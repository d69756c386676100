package runner

import (
	"math/big"
	"os"
	"path/filepath"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/conformance/compare"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// checked runs a check on given results. The case has the arrays a and out, the argument a, and the output out.
func checked(t *testing.T, c golden.Case, a, out *nd.Array, results ...any) error {
	t.Helper()
	path := filepath.Join(t.TempDir(), "f.json")
	if err := os.WriteFile(path, []byte(`{"function": "f", "cases": []}`), 0o644); err != nil {
		t.Fatal(err)
	}
	var arrays []nd.Named
	if a != nil {
		arrays = append(arrays, nd.Named{Name: "a", Array: a}, nd.Named{Name: "out", Array: out})
	}
	if err := nd.SaveNpz(golden.ArraysPath(path), arrays, false); err != nil {
		t.Fatal(err)
	}
	f, err := golden.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c.Outputs = []string{"out"}
	c.Args = append(c.Args, golden.Member{Name: "a", Value: golden.Array("a")})
	check := checkFor(&c)
	if check == nil {
		t.Fatalf("no check for %q", c.Check)
	}
	return check(&trial{file: f, result: &catalogue.Result{Values: results}}, &c, compare.Tolerance{RTol: 1e-6, ATol: 1e-6})
}

func expectVerdict(t *testing.T, name string, err error, ok bool) {
	t.Helper()
	if (err == nil) != ok {
		t.Errorf("%s: %v", name, err)
	}
}

func mat(rows, cols int, v ...float64) *nd.Array { return nd.FromSlice(v, rows, cols) }

func shapes(list ...golden.List) golden.Value {
	all := golden.List{}
	for _, s := range list {
		all = append(all, s)
	}
	return all
}

func TestCheckQR(t *testing.T) {
	c := golden.Case{Check: "outputs[0] is |R|; Q …", Expected: golden.Object{{Name: "shapes", Value: shapes(ints(2, 2), ints(2, 2))}}}
	a, r := mat(2, 2, 0, 2, 3, 1), mat(2, 2, 3, 1, 0, 2)
	q := mat(2, 2, 0, 1, 1, 0)
	expectVerdict(t, "right", checked(t, c, a, r, q, r), true)
	minusQ, minusR := mat(2, 2, 0, 1, -1, 0), mat(2, 2, -3, -1, 0, 2)
	expectVerdict(t, "other signs", checked(t, c, a, r, minusQ, minusR), true)
	expectVerdict(t, "Q is not orthonormal", checked(t, c, a, r, mat(2, 2, 0, 1, 2, 0), r), false)
	expectVerdict(t, "other R", checked(t, c, a, r, q, mat(2, 2, 3, 1, 0, 3)), false)
	expectVerdict(t, "product is not a", checked(t, c, a, r, mat(2, 2, 0, -1, 1, 0), r), false)
	expectVerdict(t, "R alone", checked(t, c, a, r, r), false)
}

func TestCheckSVD(t *testing.T) {
	c := golden.Case{Check: "outputs[0] is s, descending; …", Expected: golden.Object{
		{Name: "shapes", Value: shapes(ints(2, 2), ints(2), ints(2, 2))}, {Name: "names", Value: golden.List{"u", "s", "v"}}}}
	a, s := mat(2, 2, 0, 2, 3, 0), nd.FromSlice([]float64{3, 2})
	u, v := mat(2, 2, 0, 1, 1, 0), mat(2, 2, 1, 0, 0, 1)
	expectVerdict(t, "right", checked(t, c, a, s, u, s, v), true)
	expectVerdict(t, "ascending", checked(t, c, a, s, v, nd.FromSlice([]float64{2, 3}), u), false)
	expectVerdict(t, "product is not a", checked(t, c, a, s, v, s, v), false)
	expectVerdict(t, "u is not orthonormal", checked(t, c, a, s, mat(2, 2, 0, 2, 1, 0), s, v), false)
}

func TestCheckEigh(t *testing.T) {
	c := golden.Case{Check: "outputs[0] are the eigenvalues, ascending; …"}
	a, w := mat(2, 2, 3, 0, 0, 1), nd.FromSlice([]float64{1, 3})
	expectVerdict(t, "right", checked(t, c, a, w, w, mat(2, 2, 0, 1, 1, 0)), true)
	expectVerdict(t, "other vectors", checked(t, c, a, w, w, mat(2, 2, 1, 0, 0, 1)), false)
	expectVerdict(t, "other values", checked(t, c, a, w, nd.FromSlice([]float64{3, 1}), mat(2, 2, 1, 0, 0, 1)), false)
}

func TestCheckPartition(t *testing.T) {
	c := golden.Case{Check: "outputs[0] is what stands at position kth; …", Args: golden.Object{{Name: "kth", Value: big.NewInt(1)}}}
	a, at := nd.FromSlice([]int{5, 1, 4, 2}), nd.FromSlice([]int{2})
	part := func(v ...int) *nd.Array { return nd.FromSlice(v) }
	expectVerdict(t, "right", checked(t, c, a, at, part(1, 2, 5, 4)), true)
	expectVerdict(t, "larger before", checked(t, c, a, at, part(4, 2, 1, 5)), false)
	expectVerdict(t, "other at kth", checked(t, c, a, at, part(1, 4, 2, 5)), false)
	expectVerdict(t, "other values", checked(t, c, a, at, part(1, 2, 3, 4)), false)
	c.Check = "a at the result is a partition as numpy.partition has it"
	expectVerdict(t, "positions", checked(t, c, a, at, part(1, 3, 0, 2)), true)
	expectVerdict(t, "positions twice", checked(t, c, a, at, part(3, 3, 0, 2)), false)
}

func TestCheckDraws(t *testing.T) {
	uniform := golden.Case{Check: "draw 100,000: …", Expected: golden.Object{{Name: "mean", Value: 0.5}, {Name: "std", Value: 0.28867513459481287},
		{Name: "quantiles", Value: golden.Object{{Name: "0.1", Value: 0.1}, {Name: "0.75", Value: 0.75}}}, {Name: "dtype", Value: "float64"},
		{Name: "support", Value: golden.List{0.0, 1.0}}}}
	draw := func(f func(i int, u float64) float64) *nd.Array {
		x := nd.ToSlice[float64](nd.Func("draw").Random(nd.NewRand(1), device.DistributionUniform, []int{100_000}))
		for i, u := range x {
			x[i] = f(i, u)
		}
		return nd.FromSlice(x)
	}
	expectVerdict(t, "uniform", checked(t, uniform, nil, nil, draw(func(i int, u float64) float64 { return u })), true)
	expectVerdict(t, "other mean", checked(t, uniform, nil, nil, draw(func(i int, u float64) float64 { return 0.98 * u })), false)
	expectVerdict(t, "other quantiles", checked(t, uniform, nil, nil, draw(func(i int, u float64) float64 { return float64(i) * 0 })), false)
	expectVerdict(t, "upper end", checked(t, uniform, nil, nil, draw(func(i int, u float64) float64 {
		if i == 0 {
			return 1
		}
		return u
	})), false)

	dice := golden.Case{Check: "draw size values: …", ATol: 0.01, Expected: golden.Object{{Name: "first", Value: big.NewInt(3)},
		{Name: "probabilities", Value: golden.List{0.5, 0.5}}}}
	expectVerdict(t, "fair", checked(t, dice, nil, nil, nd.FromSlice([]int{3, 4, 4, 3})), true)
	expectVerdict(t, "unfair", checked(t, dice, nil, nil, nd.FromSlice([]int{3, 4, 3, 3})), false)
	expectVerdict(t, "beyond", checked(t, dice, nil, nil, nd.FromSlice([]int{3, 4, 5, 3})), false)

	distinct := golden.Case{Check: "all values differ and …", Expected: golden.Object{{Name: "range", Value: ints(0, 3)}}}
	expectVerdict(t, "distinct", checked(t, distinct, nil, nil, nd.FromSlice([]int{2, 0, 1})), true)
	expectVerdict(t, "twice", checked(t, distinct, nil, nil, nd.FromSlice([]int{2, 0, 2})), false)
	expectVerdict(t, "out of range", checked(t, distinct, nil, nil, nd.FromSlice([]int{3, 0})), false)
}

func TestCheckSeed(t *testing.T) {
	const body = `"args": {"seed": 7}, "outputs": [], "check": "the same seed gives the same stream, another seed another", "expected": true`
	row := catalogue.Row{Signature: "nnabla.functions.f(seed)", Func: func(seed uint64) *nd.Rand { return nd.NewRand(seed) }}
	expectFailure(t, "streams of seeds", runCase(t, row, body).Forward, "")
	row.Func = func(seed uint64) *nd.Rand { return nd.NewRand(1) }
	expectFailure(t, "one stream", runCase(t, row, body).Forward, "the next seed")
}

func ints(values ...int64) golden.List {
	var list golden.List
	for _, v := range values {
		list = append(list, big.NewInt(v))
	}
	return list
}
