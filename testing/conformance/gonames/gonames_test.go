package gonames

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
)

// rowNames returns the functions of the rows by their documented names.
func rowNames(t *testing.T) map[string][]string {
	t.Helper()
	names, err := Functions("../catalogue")
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string][]string{}
	for _, row := range catalogue.Rows() {
		byName[row.Name()] = names[row.Signature]
	}
	return byName
}

func TestFunctionsOfRows(t *testing.T) {
	want := map[string]string{ // the main function
		"cupy.add":               "ops.Add",     // the function itself
		"cupy.ravel":             "Array.Ravel", // a method expression
		"cupy.ndarray.__radd__":  "ops.Add",     // an argument of a helper
		"cupy.full_like":         "nd.FullLike", // the table of exceptions
		"cupy.ndarray.__int__":   "nd.Value",    // not the function that refuses
		"cupy.ndarray.itemsize":  "DType.Size",  // a method of a type other than Array, of the same name
		"cupy.ndarray.__ge__":    "ops.GreaterEqual",
		"cupy.ndarray.astype":    "Array.AsType",
		"cupy.linalg.qr":         "linalg.QR",
		"cupy.linalg.svd":        "linalg.SVD",
		"numpy.linalg.eig":       "linalg.Eig",
		"cupy.cuda.MemoryPool":   "Device.MemoryPool",
		"cupy.nvtx.range":        "cudaops.Range",
		"mxnet.npx.softmax":      "ops.Softmax",
		"mxnet.npx.topk":         "ops.TopK",
		"mxnet.npx.group_norm":   "normalize.GroupNormalizationWithStat",
		"nnabla.functions.prelu": "ops.PReLU",

		"chainer.functions.softmax_cross_entropy": "loss.SoftmaxCrossEntropy",
		"chainer.functions.sigmoid_cross_entropy": "loss.SigmoidCrossEntropy",
		"chainer.functions.hinge":                 "loss.Hinge",
		"chainer.functions.huber_loss":            "loss.HuberLoss",
		"chainer.functions.r2_score":              "ops.R2Score",
		"chainer.links.Linear":                    "link.Linear",
		"chainer.links.NegativeSampling":          "link.NegativeSampling",
		"chainer.report":                          "Reporter.Report",
		"chainer.serializers.save_npz":            "archive.Save",
		"chainer.datasets.TupleDataset":           "data.Zip",
		"chainer.iterators.SerialIterator":        "data.NewLoader",
		"chainer.training.StandardUpdater":        "train.NewUpdater",
		"chainer.training.Trainer":                "train.New",
		"chainer.training.extensions.Evaluator":   "train.NewEvaluator",
		"chainer.training.extensions.LogReport":   "train.NewLogReport",
		"chainer.training.extensions.snapshot":    "train.NewSnapshot",

		"chainer.training.triggers.IntervalTrigger": "train.Every",

		"nnabla.function.PythonFunction.__call__": "Function.Call", // a method of another type
		"nnabla.function.PythonFunction.name":     "Function.Name", // a field
		"cupy.cuda.Device.__repr__":               "Device.Name",   // an interface method
	}
	names := rowNames(t)
	for name, main := range want {
		if got := names[name]; len(got) == 0 || got[0] != main {
			t.Errorf("%s: %v, want %s first", name, got, main)
		}
	}
}

// TestExpressionsCompile type-checks every name that a row lists, written as an expression with the row's options, also
// those of the table of exceptions.
func TestExpressionsCompile(t *testing.T) {
	names, err := Functions("../catalogue")
	if err != nil {
		t.Fatal(err)
	}
	options, err := OptionsOf("../catalogue")
	if err != nil {
		t.Fatal(err)
	}
	known := rowNames(t)
	for name := range mains {
		if known[name] == nil {
			t.Errorf("mains: %s is not in the catalogue", name)
		}
	}
	var texts []string
	checks := map[string]Call{}
	imports := map[string]string{}
	for _, row := range catalogue.Rows() {
		for k, name := range names[row.Signature] {
			o, ok := options[row.Signature][name]
			if k == 0 && !ok {
				o = Renamed(row.Renames)
			}
			c, err := Write("../catalogue", name, o)
			if err != nil {
				t.Errorf("%s: %v", row.Signature, err)
				continue
			}
			if _, ok := checks[c.Check]; !ok {
				texts = append(texts, c.Check)
			}
			checks[c.Check] = c
			maps.Copy(imports, c.Imports)
		}
	}
	slices.Sort(texts)
	var file strings.Builder
	file.WriteString("package p\n\nimport (\n")
	for _, name := range slices.Sorted(maps.Keys(imports)) {
		fmt.Fprintf(&file, "%s %q\n", name, imports[name])
	}
	fmt.Fprintf(&file, ")\n\n%s\n", strings.Join(texts, "\n"))
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, "calls.go", file.String(), parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	s, err := load("../catalogue")
	if err != nil {
		t.Fatal(err)
	}
	config := types.Config{Importer: s.imports, Sizes: types.SizesFor("gc", "amd64"), Error: func(err error) { t.Error(err) }}
	if _, err := config.Check("p", files, []*ast.File{parsed}, nil); err != nil {
		t.Log(err)
	}
	for check, c := range checks {
		if !strings.Contains(check, c.Text) && !strings.Contains(check, " _ ") {
			t.Errorf("%s is not part of its check %s", c.Text, check)
		}
	}
}

// TestMainsAreNeeded fails for an entry of mains that is the row's function itself, or what the rules find, and for a row
// that has an entry in more than one table.
func TestMainsAreNeeded(t *testing.T) {
	s, err := load("../catalogue")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range catalogue.Rows() {
		name := row.Name()
		calls, err := Written("../catalogue", name)
		if err != nil {
			t.Error(err)
		}
		main, ok := mains[name]
		if !ok {
			continue
		}
		if calls != nil {
			t.Errorf("%s is in mains and in written", name)
		}
		switch ranked := s.ranked(name, s.rows[row.Signature]); {
		case slices.Equal(ranked, strings.Fields(main)):
			t.Errorf("%s: the rules find %s", name, main)
		case isSelector(s.rows[row.Signature]) && !s.isType(main):
			t.Errorf("%s: the row is %v itself, not %s", name, ranked, main)
		}
	}
	known := rowNames(t)
	for name := range written {
		if known[name] == nil {
			t.Errorf("written: %s is not in the catalogue", name)
		}
	}
}

// isSelector reports whether a row has a function of the library, without an adapter.
func isSelector(function ast.Expr) bool {
	_, ok := function.(*ast.SelectorExpr)
	return ok
}

// isType reports whether the first of some names is that of a type.
func (s *source) isType(names string) bool {
	object, _, err := s.lookup(strings.Fields(names)[0])
	_, ok := object.(*types.TypeName)
	return ok && err == nil
}

func TestWritten(t *testing.T) {
	calls, err := Written("../catalogue", "cupy.ndarray.__lt__")
	if err != nil || calls != nil {
		t.Errorf("a row without an entry has the calls %v, %v", calls, err)
	}
	for name, want := range map[string]Call{
		"cupy.cuda.Device.__lt__":       {Text: "self.Ordinal() < other.Ordinal()", Variables: []Variable{{"self", "*cudaops.Device"}, {"other", "*cudaops.Device"}}},
		"cupy.ndarray.fill":             {Text: "self.Assign(value)", Variables: []Variable{{"self", "*nd.Array"}, {"value", "*nd.Array"}}},
		"nnabla.functions.batch_logdet": {Text: "linalg.SlogDet(x)", Variables: []Variable{{"x", "*nd.Array"}}, Results: 2},
	} {
		calls, err := Written("../catalogue", name)
		if err != nil || len(calls) != 1 || calls[0].Text != want.Text || !slices.Equal(calls[0].Variables, want.Variables) || calls[0].Results != want.Results {
			t.Errorf("%s: %+v, %v, want %+v", name, calls, err, want)
		}
	}
}

func TestOptionsIn(t *testing.T) {
	for name, want := range map[string][]string{
		"cupy.ndarray.fill":                     nil,
		"chainer.functions.mean_absolute_error": {"axes", "KeepDims", "Kink"}, // of both functions
	} {
		calls, err := Written("../catalogue", name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := OptionsIn("../catalogue", calls[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, option := range want {
			if !slices.Contains(got, option) {
				t.Errorf("%s: no option %s in %v", name, option, got)
			}
		}
	}
}

func TestExpressions(t *testing.T) {
	for name, want := range map[string]string{
		"loss.Hinge":                "loss.Hinge(x, t)",
		"Array.AsType":              "x.AsType(dt)",
		"nd.Value":                  "nd.Value[float64](x, index...)",
		"Tape.Debug":                "tape.Debug",
		"link.Linear":               "link.Linear{}",
		"DType.Size":                "d.Size()",
		"quantize.Array.Dequantize": "x.Dequantize()",
	} {
		if c, err := Write("../catalogue", name); err != nil || c.Text != want {
			t.Errorf("%s is %s, want %s: %v", name, c.Text, want, err)
		}
	}
}

// TestPlainGo fails if a row has no function of the library without a written reason.
func TestPlainGo(t *testing.T) {
	names := rowNames(t)
	for name, list := range names {
		if len(list) == 0 && PlainGo[name] == "" {
			t.Errorf("%s: no function of the library is found", name)
		}
	}
	for name := range PlainGo {
		if names[name] == nil {
			t.Errorf("PlainGo: %s is not in the catalogue", name)
		}
	}
}

// TestOptionsOfRows checks options: fields with documented arguments, with other values, and axes.
func TestOptionsOfRows(t *testing.T) {
	options, err := OptionsOf("../catalogue")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"nnabla.parametric_functions.pruned_affine quant.PrunedAffine":        "quant.PrunedAffine(scope, x, outputs, quant.PrunedAffineOptions{W: w, B: b, KeepW: keepW, KeepB: keepB})",
		"chainer.functions.leaky_relu ops.LeakyReLU":                          "ops.LeakyReLU(x, ops.LeakyReLUOptions{Alpha: new(slope)})",
		"nnabla.functions.affine_grid image.AffineGrid":                       "image.AffineGrid(theta, size)", // the documented names
		"nnabla.solvers.Adam optim.NewAdam":                                   "optim.NewAdam(optim.AdamOptions{LR: alpha})",
		"nnabla.functions.weight_normalization normalize.WeightNormalization": "normalize.WeightNormalization(w, g, ops.Over(dim))",
		"nnabla.functions.scatter_add ops.AddAlongAxis":                       "ops.AddAlongAxis(x, indices, values, ops.Over(axis))",
		"chainer.serializers.NpzDeserializer archive.Load":                    "archive.Load(path, o, archive.LoadOptions{Prefix: prefix, Lenient: !strict})", // two paths
	}
	for _, row := range catalogue.Rows() {
		name := row.Name()
		for key, text := range want {
			documented, function, _ := strings.Cut(key, " ")
			if documented != name {
				continue
			}
			o, ok := options[row.Signature][function]
			if !ok {
				o = Renamed(row.Renames)
			}
			delete(want, key)
			if c, err := Write("../catalogue", function, o); err != nil || c.Text != text {
				t.Errorf("%s: %s, want %s: %v", name, c.Text, text, err)
			}
		}
	}
	for key := range want {
		t.Errorf("no row for %s", key)
	}
}

// TestValuesAreDocumentedArguments checks that a value that is one word is a documented argument of the row or a constant,
// not a variable of the adapter.
func TestValuesAreDocumentedArguments(t *testing.T) {
	options, err := OptionsOf("../catalogue")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range catalogue.Rows() {
		name, arguments, _ := strings.Cut(row.Signature, "(")
		words := strings.FieldsFunc(arguments, func(c rune) bool { return strings.ContainsRune("(),= *", c) })
		for function, o := range options[row.Signature] {
			for _, f := range o.Fields {
				word := strings.Trim(f.Value, "!*&[]")
				constant := word == "" || word == "true" || word == "false" || word == "nil" || strings.ContainsAny(word, "(.{\" ") || word[0] <= '9'
				if !constant && !slices.Contains(words, word) {
					t.Errorf("%s: %s of %s is %s, no documented argument", name, f.Name, function, f.Value)
				}
			}
		}
	}
}
