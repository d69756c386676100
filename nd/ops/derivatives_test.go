package ops_test

import (
	"bufio"
	"compress/gzip"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	_ "github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// quantities are the table's entries for a function of one number, and of two.
var quantities = map[bool][]string{false: {"y", "x'", "x''"}, true: {"y", "a'", "b'", "aa", "ab", "bb"}}

// unsaid marks a missing entry of the table.
var unsaid = math.Float64frombits(0x7ff8_0000_dead_beef)

func said(v float64) bool { return math.Float64bits(v) != math.Float64bits(unsaid) }

// recordedDerivatives reads the table that testdata/derivatives.py writes: lists of numbers by row and quantity.
func recordedDerivatives(t *testing.T) map[string]map[string][]float64 {
	t.Helper()
	file, err := os.Open("testdata/derivatives.txt.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]float64{"0": 0, "-0": math.Copysign(0, -1), "inf": math.Inf(1), "-inf": math.Inf(-1), "nan": math.NaN(), "?": unsaid}
	table := map[string]map[string][]float64{}
	lines := bufio.NewScanner(unpacked)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		values := make([]float64, len(fields)-2)
		for i, field := range fields[2:] {
			v, word := words[field]
			if !word {
				bits, err := strconv.ParseUint(field, 16, 64)
				if err != nil {
					t.Fatal(err)
				}
				v = math.Float64frombits(bits)
			}
			values[i] = v
		}
		if table[fields[0]] == nil {
			table[fields[0]] = map[string][]float64{}
		}
		table[fields[0]][fields[1]] = values
	}
	if lines.Err() != nil {
		t.Fatal(lines.Err())
	}
	return table
}

// TestDerivatives compares values, first and second derivatives of the elementwise functions with recorded ones, at
// numbers of all magnitudes, at infinities and at NaN, in both float types and on both devices.
func TestDerivatives(t *testing.T) {
	table := recordedDerivatives(t)
	ref, err := device.Get("ref")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range derivativeRows {
		t.Run(row.name, func(t *testing.T) {
			wanted := table[row.name]
			if wanted == nil {
				t.Fatal("testdata/derivatives.py has no such row")
			}
			for _, dt := range []dtype.DType{dtype.Float64, dtype.Float32} {
				for _, dev := range []device.Device{nil, ref} {
					args := arguments(table, row.two(), dt)
					got := row.derive(args, nd.ArrayOptions{DType: dt, Device: dev})
					for k, quantity := range quantities[row.two()] {
						for i, index := range args.indices {
							row.compare(t, dt, args.at(i), got[k][i], wanted[quantity][index], quantity)
						}
					}
				}
			}
		})
	}
}

// argumentList holds the table's arguments that fit a float type, and their indices in the table.
type argumentList struct {
	indices []int
	lists   [][]float64
}

func (a argumentList) at(i int) []float64 {
	var point []float64
	for _, list := range a.lists {
		point = append(point, list[i])
	}
	return point
}

func arguments(table map[string]map[string][]float64, two bool, dt dtype.DType) (args argumentList) {
	from := [][]float64{table["points"]["x"]}
	if two {
		from = [][]float64{table["pairs"]["a"], table["pairs"]["b"]}
	}
	args.lists = make([][]float64, len(from))
next:
	for i := range from[0] {
		for _, list := range from {
			if v := list[i]; dt == dtype.Float32 && v == v && float64(float32(v)) != v {
				continue next
			}
		}
		args.indices = append(args.indices, i)
		for k, list := range from {
			args.lists[k] = append(args.lists[k], list[i])
		}
	}
	return args
}

// derive computes the quantities at all arguments.
func (row derivativeRow) derive(args argumentList, o nd.ArrayOptions) [][]float64 {
	tape := grad.NewTape()
	defer tape.Reset()
	var in []*nd.Array
	for _, list := range args.lists {
		in = append(in, nd.FromSlice(list, len(list)).AsType(o.DType))
	}
	numbers := func(xs ...*nd.Array) (all [][]float64) {
		for _, x := range xs {
			list := make([]float64, len(args.indices))
			if x != nil {
				list = nd.ToSlice[float64](x.Detach().AsType(dtype.Float64))
			}
			all = append(all, list)
		}
		return all
	}
	toDevice := func(x *nd.Array) *nd.Array {
		if o.Device != nil {
			x = x.To(o.Device)
		}
		return tape.Watch(x)
	}
	again := func(g *nd.Array, xs ...*nd.Array) []*nd.Array {
		if !row.twice(g) {
			return make([]*nd.Array, len(xs))
		}
		return tape.Gradient(g, xs...)
	}
	switch {
	case row.complex != nil:
		z := toDevice(complexOf(args.lists[0], args.lists[1]).AsType(o.DType.Complex()))
		y := row.complex(z)
		g := tape.GradientRecorded(y, z)[0]
		a, b := ops.Real(g), ops.Imag(g)
		ga, gb := again(a, z)[0], again(b, z)[0]
		return numbers(y, a, b, ops.Real(ga), ops.Imag(ga), ops.Imag(gb))
	case row.of2 != nil:
		a, b := toDevice(in[0]), toDevice(in[1])
		y := row.of2(a, b)
		g := tape.GradientRecorded(y, a, b)
		ga, gb := again(g[0], a, b), again(g[1], b)
		return numbers(y, g[0], g[1], ga[0], ga[1], gb[0])
	}
	x := toDevice(in[0])
	y := row.of(x)
	g := tape.GradientRecorded(y, x)[0]
	return numbers(y, g, again(g, x)[0])
}

func complexOf(re, im []float64) *nd.Array {
	z := make([]complex128, len(re))
	for i := range z {
		z[i] = complex(re[i], im[i])
	}
	return nd.FromSlice(z, len(z))
}

// compare compares one number of a quantity with the recorded one.
func (row derivativeRow) compare(t *testing.T, dt dtype.DType, at []float64, got, wanted float64, quantity string) {
	t.Helper()
	n := order(quantity)
	if !said(wanted) || n == 2 && row.orders == 1 || row.except != nil && row.except(quantity, at) {
		return
	}
	info := dtype.Info(dt)
	if dt == dtype.Float32 {
		wanted = float64(float32(wanted))
	}
	tolerance := row.tolerance(n, info.Eps) * math.Abs(wanted)
	if n > 0 {
		tolerance += info.Tiny
	} else {
		tolerance += info.SmallestSubnormal
	}
	if row.slack != nil {
		tolerance += info.Eps * row.slack(n, at)
	}
	switch {
	case wanted != wanted && got != got, got == wanted, math.Abs(got-wanted) <= tolerance:
	case row.flat && n > 0 && notANumber(at) && got == 0:
	case row.passes && notANumber(at) && (n == 1 && got != 0 || n == 2):
	case n == 2 && math.IsInf(wanted, 0) && math.IsNaN(got): // at a pole the rules may take a difference of infinities
	default:
		t.Errorf("%s of %v in %s is %v, want %v within %.2g", quantity, at, dt, got, wanted, tolerance)
	}
}

// TestDerivativesOfAll reads the definitions: a definition that the sweep does not cover must be one through which no
// gradient flows, or be listed here with the reason.
func TestDerivativesOfAll(t *testing.T) {
	known := map[string]string{
		"Dropout": "a product with 0 or a number", "AlphaDropout": "a line, or a number", "Tril": "chooses", "Triu": "chooses", "Where": "chooses", "NaNToNum": "chooses",
		"ResetNaN": "chooses", "ResetInf": "chooses", "NanSum": "chooses", "Conj": "linear", "Real": "linear", "Imag": "linear",
		"ClipGradByValue": "the identity, whose gradient is what the caller says", "Ldexp": "linear", "Frexp": "linear", "DivMod": "Remainder",
		"NextAfter": "the identity, but for a digit", "Spacing": "constant almost everywhere", "Round": "constant almost everywhere", "FloorDivide": "constant almost everywhere",
		"Heaviside": "a constant or b", "Norm": "a part of it", "LPPooling": "a part of it", "LogSumExp": "a part of it",
		"Quantile": "a part of it", "Pad": "constant almost everywhere", "IsClose": "bool",
		"Interp": "lines between samples", "CategoricalCrossEntropy": "Log, but for a bound",
		"Linspace": "linear", "Geomspace": "chooses", "HardSwish": "parts of a parabola", "HardShrink": "chooses", "SoftShrink": "chooses",
		"GLU": "a product with Sigmoid", "CDist": "Sqrt, but for a bound", "KLDivergence": "products with Log and Exp", "PoissonNLL": "Exp and Log",
		"BoxIoU": "a ratio of areas", "BoxNMS": "chooses", "IsIn": "an index", "WarpByGrid": "lines, mirrored or rounded",
		"RMSNormalization": "products", "LogCumSumExp": "the identity", "Attention": "parts of it", "CorrCoef": "a line", "OrthogonalPolynomial": "polynomials, whose gradients are its own",
	}
	for _, row := range derivativeRows {
		name, _, _ := strings.Cut(row.name, " of ")
		known[name] = "the sweep"
		if (row.why == "") != (row.slack == nil && row.except == nil) {
			t.Errorf("%s: an exemption and its reason go together", row.name)
		}
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	definitions := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		constants := map[string]string{}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Values) == len(spec.Names) {
				for k, name := range spec.Names {
					if literal, ok := spec.Values[k].(*ast.BasicLit); ok {
						constants[name.Name] = literal.Value
					}
				}
			}
			return true
		})
		ast.Inspect(parsed, func(n ast.Node) bool {
			fields := definition(n)
			if fields == nil {
				return true
			}
			definitions++
			name := fields["Fn"]
			if constant, ok := constants[name]; ok {
				name = constant
			}
			name = strings.TrimPrefix(strings.Trim(name, `"`), "ops.")
			if flows(fields) && known[name] == "" {
				t.Errorf("%s: %s has no row in derivativeRows", file, name)
			}
			return true
		})
	}
	if definitions < 100 {
		t.Errorf("found %d definitions", definitions)
	}
}

// definition returns the fields of a literal of type ufunc.Definition, as text.
func definition(n ast.Node) map[string]string {
	literal, ok := n.(*ast.CompositeLit)
	if !ok {
		return nil
	}
	kind, ok := literal.Type.(*ast.SelectorExpr)
	if !ok || kind.Sel.Name != "Definition" || kind.X.(*ast.Ident).Name != "ufunc" {
		return nil
	}
	fields := map[string]string{}
	for _, element := range literal.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			switch v := pair.Value.(type) {
			case *ast.BasicLit:
				fields[pair.Key.(*ast.Ident).Name] = v.Value
			case *ast.Ident:
				fields[pair.Key.(*ast.Ident).Name] = v.Name
			case *ast.SelectorExpr:
				fields[pair.Key.(*ast.Ident).Name] = v.Sel.Name
			}
		}
	}
	return fields
}

// flows reports whether a definition is of floats; no gradient flows through those of integers and truth values.
func flows(fields map[string]string) bool {
	ofIntegers := slices.Contains([]string{"BitType", "integral", "integer"}, fields["Loop"])
	return !strings.HasPrefix(fields["Out"], `"bool`) && !ofIntegers && fields["Fn"] != "fn"
}
