package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/conformance/compare"
	"github.com/ndgrad/ndgrad/testing/conformance/gonames"
	"github.com/ndgrad/ndgrad/testing/conformance/runner"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// leastRows is how many rows run.
const leastRows = 700

// seed is for rows that draw random numbers.
const seed = 29

// TestRowsRun writes the main expressions of the rows of docs/functions.md into one program, with arguments from the
// committed cases, and runs it. The results must be those of the documented names, with the options that an expression
// does not have at their defaults. It runs all rows whose function has a case with results. If an expression has fewer
// results than the row, the first ones are compared.
func TestRowsRun(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	p := program{values: map[string]*nd.Array{}, imports: map[string]string{"nd": "github.com/ndgrad/ndgrad/nd", "dtype": "github.com/ndgrad/ndgrad/nd/dtype"}}
	rows := candidates(t)
	for _, names := range notRun {
		for _, name := range names {
			at := slices.IndexFunc(rows, func(r runRow) bool { return r.name == name })
			if at < 0 {
				t.Fatalf("notRun: %s is no row that could be run, or is there twice", name)
			}
			rows = slices.Delete(rows, at, at+1)
		}
	}
	withResults := 0
	for i := range rows {
		err := p.addCase(strconv.Itoa(i), &rows[i])
		if errors.Is(err, errNoResults) {
			continue
		}
		withResults++
		if err != nil {
			t.Errorf("%s: `%s`: %v", rows[i].name, rows[i].call.Text, err)
		}
	}
	if withResults < leastRows {
		t.Errorf("%d rows run, want at least %d", withResults, leastRows)
	}
	t.Logf("%d rows run", withResults)
	got, texts := p.run(t)
	for i, r := range rows {
		if r.want == nil {
			continue
		}
		for k, v := range r.want.Values {
			key := fmt.Sprintf("%d/%d", i, k)
			if _, isText := texts[key]; k > 0 && got[key] == nil && !isText {
				break
			}
			if y, ok := v.(*nd.Array); !ok {
				if text := fmt.Sprint(v); texts[key] != text {
					t.Errorf("%s: `%s` gives %q, the row %q", r.name, r.call.Text, texts[key], text)
				}
			} else if got[key] == nil {
				t.Errorf("%s: `%s` has no result %d: %s%s", r.name, r.call.Text, k, texts[key], texts[strconv.Itoa(i)])
			} else if err := (compare.Tolerance{RTol: 1e-5, ATol: 1e-6}).Compare(got[key], y); err != nil {
				t.Errorf("%s: result %d of `%s`: %v", r.name, k, r.call.Text, err)
			}
		}
	}
}

// runRow is a row of the document that runs, with the arguments of a case.
type runRow struct {
	name string
	call gonames.Call
	f    *catalogue.Function
	path string            // of its cases
	args map[string]any    // those of the case
	used map[string]any    // those that are in the expression
	want *catalogue.Result // of the documented name
}

// candidates returns the rows whose main expression is one call with results, and that have a committed case.
func candidates(t *testing.T) []runRow {
	t.Helper()
	source := filepath.Join("..", "catalogue")
	names, err := gonames.Functions(source)
	if err != nil {
		t.Fatal(err)
	}
	options, err := gonames.OptionsOf(source)
	if err != nil {
		t.Fatal(err)
	}
	paths := committedCases(t)
	var rows []runRow
	for _, row := range catalogue.Rows() {
		name := row.Name()
		if paths[name] == "" {
			continue
		}
		calls, err := callsOf(source, name, names[row.Signature], options[row.Signature], row.Renames)
		if err != nil {
			t.Fatal(err)
		}
		f, err := catalogue.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(calls) > 0 && calls[0].Results > 0 {
			rows = append(rows, runRow{name: name, call: calls[0], f: f, path: paths[name]})
		}
	}
	return rows
}

// committedCases returns the files of committed cases by function.
func committedCases(t *testing.T) map[string]string {
	t.Helper()
	suites, err := golden.Suites(filepath.Join("..", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	paths := map[string]string{}
	for _, s := range suites {
		if s.Kind() != golden.Functions {
			continue
		}
		for f, err := range s.Open() {
			if err != nil {
				t.Fatal(err)
			}
			paths[f.Function] = f.Path
		}
	}
	return paths
}

var errNoResults = errors.New("no case has results")

// addCase writes the expression of a row with the arguments of the first case that it can be called with.
func (p *program) addCase(key string, r *runRow) error {
	file, err := golden.Open(r.path)
	if err != nil {
		return err
	}
	defer file.Close()
	problem := errNoResults
	for _, c := range file.Cases {
		if c.Error || len(c.Outputs) == 0 || c.Variant != "" {
			continue
		}
		if r.args, err = runner.Arguments(file, r.f, c.Args, nil); err != nil {
			return err
		}
		text, err := p.block(key, r)
		if err == nil {
			r.want, err = catalogue.Call(r.name, nil, r.used, catalogue.CallOptions{Rand: nd.NewRand(seed)})
		}
		if err == nil {
			p.body.WriteString(text)
			maps.Copy(p.imports, r.call.Imports)
			return nil
		}
		problem = err
	}
	return problem
}

// block writes the expression of a row, in a block that declares its variables.
func (p *program) block(key string, r *runRow) (string, error) {
	var text strings.Builder
	fmt.Fprintf(&text, "\t{ // %s\n", r.name)
	r.used = map[string]any{}
	inText := words.FindAllString(r.call.Text, -1)
	for k, v := range r.call.Variables {
		if !slices.Contains(inText, v.Name) { // it is for the other expressions of the row
			continue
		}
		value, err := p.variable(fmt.Sprintf("%s/%d", key, k), r, v)
		if err != nil {
			return "", fmt.Errorf("variable %s: %w", v.Name, err)
		}
		fmt.Fprintf(&text, "\t\tvar %s = %s\n", v.Name, value)
	}
	for _, argument := range r.f.Params { // those that the expression says in another way
		if value, ok := r.args[argument.Name]; ok && (!argument.HasDefault || ofShape[argument.Name]) {
			r.used[argument.Name] = value
		}
	}
	fmt.Fprintf(&text, "\t\tkeep(%q, func() []any { return list(%s) })\n\t}\n", key, r.call.Text)
	return text.String(), nil
}

// variable writes the value of a variable. The value comes from the table, from the documented argument of the same name,
// or from the next argument that no variable has.
func (p *program) variable(key string, r *runRow, v gonames.Variable) (string, error) {
	if text := byHand[r.name+" "+v.Name]; text != "" {
		var err error
		text = argumentIn.ReplaceAllStringFunc(text, func(match string) string {
			groups := argumentIn.FindStringSubmatch(match)
			name := groups[1]
			r.used[name] = r.args[name]
			value, problem := p.write(key+"/"+name, r.args[name], groups[2])
			err = cmp.Or(err, problem)
			return value
		})
		return text, err
	}
	switch v.Type {
	case "*nd.Rand", "nd.Rand":
		return fmt.Sprintf("nd.NewRand(%d)", seed), nil
	case "*nn.Scope":
		return "nn.NewScope()", nil
	}
	argument := r.argumentFor(v)
	if argument == nil {
		return "", errors.New("it is no documented argument")
	}
	value, ok := r.args[argument.Name]
	if !ok {
		value = argument.Default
	}
	r.used[argument.Name] = value
	if v.Type == "float64" && argument.Type == reflect.TypeFor[*nd.Array]() { // an operand of any type
		if x, isArray := value.(*nd.Array); !isArray || x != nil {
			return p.write(key, value, "*nd.Array")
		}
	}
	return p.write(key, value, v.Type)
}

// argumentFor returns the documented argument with the name of a variable, or the next one that no variable has.
func (r *runRow) argumentFor(v gonames.Variable) *catalogue.Param {
	plain := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "")) }
	named := func(name string) bool {
		return slices.ContainsFunc(r.call.Variables, func(v gonames.Variable) bool { return plain(v.Name) == plain(name) })
	}
	for i := range r.f.Params {
		if p := &r.f.Params[i]; plain(p.Name) == plain(v.Name) {
			return p
		}
	}
	for i := range r.f.Params {
		p := &r.f.Params[i]
		if _, used := r.used[p.Name]; !used && !p.Ignored() && !named(p.Name) {
			return p
		}
	}
	return nil
}

// byHand gives the values of variables that are not documented arguments, by the documented name and the variable.
// Documented arguments stand in braces.
var byHand = map[string]string{
	"nnabla.parametric_functions.lstm st":         "&nn.State{H: {h}, C: {c}}",
	"nnabla.parametric_functions.affine outShape": "[]int(nil)", // for several axes
	"numpy.pad widths":                            "[][2]int{{5, 5}}",
	"chainer.functions.forget f":                  "func(in []*nd.Array) []*nd.Array { return []*nd.Array{ops.Square(in[0])} }",
	"chainer.functions.forget in":                 "{xs}",
	"cupy.atleast_1d x":                           "{arys}[0]",
	"cupy.atleast_2d x":                           "{arys}[0]",
	"cupy.atleast_3d x":                           "{arys}[0]",
	"chainer.functions.identity x":                "{inputs}[0]",

	"nnabla.parametric_functions.fixed_point_quantized_affine w":      "quantize.FixedPointOptions{}",
	"nnabla.parametric_functions.fixed_point_quantized_affine b":      "quantize.FixedPointOptions{}",
	"nnabla.parametric_functions.fixed_point_quantized_convolution w": "quantize.FixedPointOptions{}",
	"nnabla.parametric_functions.fixed_point_quantized_convolution b": "quantize.FixedPointOptions{}",
	"nnabla.parametric_functions.pow2_quantized_affine w":             "quantize.Pow2Options{}",
	"nnabla.parametric_functions.pow2_quantized_affine b":             "quantize.Pow2Options{}",
	"nnabla.parametric_functions.pow2_quantized_convolution w":        "quantize.Pow2Options{}",
	"nnabla.parametric_functions.pow2_quantized_convolution b":        "quantize.Pow2Options{}",
	"nnabla.parametric_functions.pruned_affine w":                     "quantize.PruneOptions{}",
	"nnabla.parametric_functions.pruned_affine b":                     "quantize.PruneOptions{}",
	"nnabla.parametric_functions.pruned_affine keepW":                 "false",
	"nnabla.parametric_functions.pruned_affine keepB":                 "false",
	"nnabla.parametric_functions.pruned_convolution w":                "quantize.PruneOptions{}",
	"nnabla.parametric_functions.pruned_convolution b":                "quantize.PruneOptions{}",
	"nnabla.parametric_functions.pruned_convolution keepW":            "false",
	"nnabla.parametric_functions.pruned_convolution keepB":            "false",
	"mxnet.npx.pad pad_width":                                         "{pad_width []int}",
	"mxnet.npx.pooling stride":                                        "[]int{1}",
	"cupy.swapaxes x":                                                 "{a}",
	"cupy.swapaxes a":                                                 "{axis1 int}",
	"cupy.swapaxes b":                                                 "{axis2 int}",
	"nnabla.functions.pad widths":                                     "{pad_width []int}",
	"mxnet.npx.box_nms inCenter":                                      "false",
	"mxnet.npx.box_nms outCenter":                                     "false",
	"mxnet.npx.reshape codes":                                         "{newshape []int}",
	"nnabla.functions.gather axis":                                    "ops.Over(0)",

	"nnabla.functions.bool_scatter shape": "append({mask}.Shape(), {input}.Shape()[1:]...)",
	"mxnet.npx.convolution channelLast":   "false",
	"mxnet.npx.deconvolution channelLast": "false",
	"mxnet.npx.quantized_reshape x":       "{data}",
	"mxnet.npx.quantized_reshape codes":   "{newshape []int}",

	"chainer.functions.sigmoid_cross_entropy reduction": "loss.CountMeanReduction",
	"chainer.functions.softmax_cross_entropy reduction": "loss.CountMeanReduction",
	"cupy.ndarray.__getitem__ ix":                       "[]nd.Index{nd.Ellipsis()}",
}

// notRun are rows that the test cannot run, by reason.
var notRun = map[string][]string{
	"the committed cases have options, or other forms of an argument than the expression": {
		"chainer.functions.pad", "cupy.full", "cupy.full_like", "cupy.hsplit", "cupy.ndarray.repeat", "cupy.pad", "cupy.repeat", "cupy.split", "cupy.tensordot",
		"mxnet.npx.quantized_pooling", "mxnet.npx.topk", "nnabla.functions.interpolate", "nnabla.functions.top_k_data", "nnabla.functions.top_k_grad", "numpy.view_chain"},
	"the case is for another expression of the row":    {"cupy.clip", "cupy.linalg.qr", "cupy.ndarray.clip", "nnabla.functions.broadcast_to"},
	"the documents have lists, one item for each axis": {"mxnet.npx.slice", "nnabla.functions.slice"},
	"the documents have lists, numbers or texts where Go has slices and types": {
		"chainer.functions.copy", "cupy.array", "cupy.asanyarray", "cupy.asarray", "cupy.testing.shaped_arange"},
	"the documents pass a quantised array in three parts": {
		"mxnet.npx.contrib_quantize_v2", "mxnet.npx.contrib_quantized_rnn", "mxnet.npx.intgemm_fully_connected", "mxnet.npx.quantized_conv",
		"mxnet.npx.quantized_elemwise_add", "mxnet.npx.quantized_elemwise_mul", "mxnet.npx.quantized_fully_connected", "mxnet.npx.quantized_npi_add",
		"mxnet.npx.requantize"},
	"the parameters have fewer axes in the documents": {
		"chainer.functions.batch_normalization", "chainer.functions.fixed_batch_normalization", "mxnet.npx.batch_norm", "mxnet.npx.group_norm",
		"mxnet.npx.instance_norm", "mxnet.npx.layer_norm", "mxnet.npx.sync_batch_norm"},
	"an object is made first: a kernel, a cell, the state of a quantisation, an initializer, or a writer": {
		"cupy.ElementwiseKernel", "cupy.ReductionKernel", "cupy.ndarray.tofile", "nnabla.functions.inq_affine", "nnabla.functions.inq_convolution",
		"nnabla.initializer.ConstantInitializer", "nnabla.initializer.NormalInitializer", "nnabla.initializer.UniformInitializer",
		"nnabla.parametric_functions.LSTMCell", "nnabla.parametric_functions.inq_affine", "nnabla.parametric_functions.inq_convolution"},
	"the row has a Go number or slice as an array, other properties, or another shape, as its remark says": {
		"cupy.broadcast", "mxnet.npx.constraint_check", "mxnet.npx.norm", "nnabla.functions.shape", "nnabla.initializer.calc_uniform_lim_glorot"},
	"the row has other results of the function than the first ones": {"nnabla.functions.batch_logdet", "nnabla.functions.binary_weight_affine", "nnabla.functions.binary_weight_convolution", "numpy.linalg.lstsq"},
	"the documents have no lengths by default":                      {"mxnet.npx.sequence_last", "mxnet.npx.sequence_mask", "mxnet.npx.sequence_reverse"},
	"the row depends on whether it is called in training":           {"mxnet.npx.dropout", "nnabla.parametric_functions.mean_subtraction"},
	"the case has a vector of indices, which the remark reshapes":   {"mxnet.npx.index_add", "mxnet.npx.index_update"},
	"None is no Go value":                             {"mxnet.npx.reshape_like"},
	"the row takes samples from those of the sampler": {"chainer.functions.negative_sampling"},
}

// ofShape are arguments that follow from the shapes of others, and that MXNet wants nevertheless.
var ofShape = map[string]bool{"kernel": true, "num_filter": true, "num_hidden": true, "state_size": true}

// argumentIn finds a documented argument in braces, with the type in which it is written unless it is an array.
var argumentIn = regexp.MustCompile(`\{([a-z][a-z_0-9]*)(?: ([^}]+))?\}`)
