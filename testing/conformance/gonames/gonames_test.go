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
		name, _, _ := strings.Cut(row.Signature, "(")
		byName[name] = names[row.Signature]
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

// TestExpressionsCompile type-checks every name that a row lists, written as an expression, also those of the table of
// exceptions.
func TestExpressionsCompile(t *testing.T) {
	names := rowNames(t)
	for name := range mains {
		if names[name] == nil {
			t.Errorf("mains: %s is not in the catalogue", name)
		}
	}
	var texts []string
	checks := map[string]Call{}
	imports := map[string]string{}
	for documented, list := range names {
		for _, name := range list {
			c, err := Write("../catalogue", name)
			if err != nil {
				t.Errorf("%s: %v", documented, err)
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

// TestOptionsAreFields checks that options are fields with documented arguments, not variables of the adapter.
func TestOptionsAreFields(t *testing.T) {
	options, err := Options("../catalogue")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"nnabla.parametric_functions.pruned_affine quant.PrunedAffine": "W, B, KeepW, KeepB",
		"chainer.functions.leaky_relu ops.LeakyReLU":                   "Alpha: slope",
		"nnabla.functions.affine_grid image.AffineGrid":                "", // the documented names
	}
	for _, row := range catalogue.Rows() {
		name, arguments, _ := strings.Cut(row.Signature, "(")
		for function, text := range options[row.Signature] {
			if w, ok := want[name+" "+function]; ok {
				delete(want, name+" "+function)
				if text != w {
					t.Errorf("%s: options %q, want %q", name, text, w)
				}
			}
			for _, option := range strings.Split(text, ", ") {
				field, value, ok := strings.Cut(option, ": ")
				if ok && strings.ToUpper(field[:1]) == field[:1] && !strings.ContainsAny(value, "(.{\"") {
					if word := strings.Trim(value, "!*&[]"); word != "true" && word != "false" && word != "nil" && word[0] > '9' && !slices.Contains(strings.FieldsFunc(arguments, func(c rune) bool {
						return strings.ContainsRune("(),= *", c)
					}), word) {
						t.Errorf("%s: option %s is not about a documented argument", name, option)
					}
				}
			}
		}
	}
	for name, w := range want {
		if w != "" {
			t.Errorf("%s has no options, want %s", name, w)
		}
	}
}
