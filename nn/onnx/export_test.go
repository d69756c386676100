package onnx

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/linalg"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/nn"
)

// sample returns distinct numbers around 0.
func sample(shape ...int) *nd.Array {
	x := nd.Arange(0, float64(nd.Zeros(shape).Size()), 1, dtype.Float64)
	return ops.Sin(ops.Multiply(x, 1.7)).Reshape(shape...).AsType(dtype.Float32)
}

// exportOf exports f with and without Batch, and fails if that fails.
func exportOf(t *testing.T, batch bool, params *nn.Scope, f func(s *nn.Scope, in []*nd.Array) []*nd.Array, inputs ...*nd.Array) *File {
	t.Helper()
	var b bytes.Buffer
	if err := Export(&b, f, inputs, ExportOptions{Params: params, Batch: batch}); err != nil {
		t.Fatal(err)
	}
	file, err := Read(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// of1 makes a function to export of one with one input.
func of1(f func(x *nd.Array) *nd.Array) func(s *nn.Scope, in []*nd.Array) []*nd.Array {
	return func(_ *nn.Scope, in []*nd.Array) []*nd.Array { return []*nd.Array{f(in[0])} }
}

func TestExportsFunctions(t *testing.T) {
	for _, c := range []struct {
		name string
		f    func(x *nd.Array) *nd.Array
	}{
		{"add", func(x *nd.Array) *nd.Array { return ops.Add(x, 2) }},
		{"relu", func(x *nd.Array) *nd.Array { return ops.ReLU(x) }},
		{"gelu", func(x *nd.Array) *nd.Array { return ops.GELU(x) }},
		{"softmax", func(x *nd.Array) *nd.Array { return ops.Softmax(x) }},
		{"sum", func(x *nd.Array) *nd.Array { return ops.Sum(x, ops.Over(1)) }},
		{"mean", func(x *nd.Array) *nd.Array { return ops.Mean(x, ops.Over(-1).KeepDims()) }},
		{"var", func(x *nd.Array) *nd.Array { return ops.Var(x, ops.Over(1, 2)) }},
		{"norm", func(x *nd.Array) *nd.Array { return ops.Norm(x, ops.Over(1)) }},
		{"max", func(x *nd.Array) *nd.Array { return ops.Max(x, ops.Over(1)) }},
		{"argmax", func(x *nd.Array) *nd.Array { return ops.ArgMax(x, ops.Over(1)) }},
		{"compare", func(x *nd.Array) *nd.Array { return ops.Where(ops.Greater(x, 0.1), x, ops.Negative(x)) }},
		{"any", func(x *nd.Array) *nd.Array { return ops.Any(ops.Greater(x, 0.5), ops.Over(1, 2)) }},
		{"cast", func(x *nd.Array) *nd.Array { return ops.Multiply(x, 3).AsType(dtype.Int32) }},
		{"slice", func(x *nd.Array) *nd.Array { return x.Index(nd.All(), nd.Span(1, 3), nd.From(1).By(2)) }},
		{"flip", func(x *nd.Array) *nd.Array { return x.Flip(2) }},
		{"at", func(x *nd.Array) *nd.Array { return x.Index(nd.All(), nd.At(1)) }},
		{"transpose", func(x *nd.Array) *nd.Array { return x.Transpose(0, 2, 1) }},
		{"reshape", func(x *nd.Array) *nd.Array { return x.Reshape(-1, 20) }},
		{"expand", func(x *nd.Array) *nd.Array { return x.ExpandDims(1).BroadcastTo(x.Dim(0), 3, 4, 5) }},
		{"diagonal", func(x *nd.Array) *nd.Array { return x.Transpose(1, 2, 0).Index(nd.Until(4)).Diagonal(1, 0, 1) }},
		{"windows", func(x *nd.Array) *nd.Array { return x.SlidingWindows([]int{2, 3}, 1, 2) }},
		{"take", func(x *nd.Array) *nd.Array { return ops.Take(x, nd.FromSlice([]int{2, -1}), ops.Over(2)) }},
		{"pick", func(x *nd.Array) *nd.Array {
			return x.Index(nd.All(), nd.Pick(nd.FromSlice([]int{0, 2})), nd.Pick(nd.FromSlice([]int{1, 4})))
		}},
		{"concat", func(x *nd.Array) *nd.Array { return ops.Concatenate([]*nd.Array{x, ops.Exp(x)}, ops.Over(2)) }},
		{"split", func(x *nd.Array) *nd.Array { return ops.Split(x, 2, ops.Over(1))[1] }},
		{"cumsum", func(x *nd.Array) *nd.Array { return ops.CumSum(x, ops.Over(1)) }},
		{"sort", func(x *nd.Array) *nd.Array { return ops.Sort(x, ops.Over(1)) }},
		{"argsort", func(x *nd.Array) *nd.Array { return ops.ArgSort(x, ops.Over(2)) }},
		{"topk", func(x *nd.Array) *nd.Array { v, _ := ops.TopK(x, 2); return v }},
		{"matmul", func(x *nd.Array) *nd.Array { return ops.MatMul(x, x.Transpose(0, 2, 1)) }},
		{"attention", func(x *nd.Array) *nd.Array { return ops.Attention(x, x, x, ops.AttentionOptions{Causal: true}) }},
		{"detach", func(x *nd.Array) *nd.Array { return ops.Subtract(x, ops.Max(x.Detach(), ops.Over(2).KeepDims())) }},
		{"mod", func(x *nd.Array) *nd.Array { return ops.Remainder(x, 0.3) }},
		{"expm1", func(x *nd.Array) *nd.Array { return ops.Log1p(ops.Absolute(ops.Expm1(x))) }},
		{"with", func(x *nd.Array) *nd.Array { return x.With(nd.Scalar(7), nd.All(), nd.At(1)) }},
	} {
		for _, batch := range []bool{false, true} {
			if batch && c.name == "diagonal" {
				continue // it moves along the examples, too
			}
			t.Run(c.name, func(t *testing.T) { exportOf(t, batch, nil, of1(c.f), sample(3, 4, 5)) })
		}
	}
}

// refusedWith fails unless the export of f is refused with a text.
func refusedWith(t *testing.T, want string, f func(s *nn.Scope, in []*nd.Array) []*nd.Array, inputs ...*nd.Array) {
	t.Helper()
	var b bytes.Buffer
	err := Export(&b, f, inputs)
	if err == nil || !strings.Contains(err.Error(), want) || b.Len() > 0 {
		t.Errorf("%v with %d bytes, want a refusal with %q", err, b.Len(), want)
	}
}

// TestNeverWritesWhatDependsOnInputs exports functions that compute from the inputs, or draw, what no tape records.
func TestNeverWritesWhatDependsOnInputs(t *testing.T) {
	x := sample(3, 4)
	refusedWith(t, "ops.SearchSorted", of1(func(x *nd.Array) *nd.Array {
		return ops.SearchSorted(nd.FromSlice([]float32{-0.5, 0, 0.5}), x)
	}), x)
	refusedWith(t, "Array.AsType", of1(func(x *nd.Array) *nd.Array { // through a function without a record
		found := ops.SearchSorted(nd.FromSlice([]float32{-0.5, 0, 0.5}), x)
		return ops.Add(x, ops.Multiply(found, 2).AsType(dtype.Float32))
	}), x)
	refusedWith(t, "ops.Multiply", of1(func(x *nd.Array) *nd.Array {
		return ops.Add(x, ops.Multiply(random.Uniform(nd.NewRand(1), 0, 1, x.Shape(), dtype.Float32), 2))
	}), x)
	refusedWith(t, "Array.Float", of1(func(x *nd.Array) *nd.Array { return ops.Multiply(x, ops.Max(x).Float()) }), x)
	refusedWith(t, "nd.ToSlice", of1(func(x *nd.Array) *nd.Array { return nd.FromSlice(nd.ToSlice[float32](x), 12) }), x)
	refusedWith(t, "linalg.Det", of1(func(x *nd.Array) *nd.Array { return linalg.Det(ops.MatMul(x, x.T())) }), x)
	refusedWith(t, "ops.Add", func(*nn.Scope, []*nd.Array) []*nd.Array { return []*nd.Array{ops.Add(x, 1)} }, x)
	refusedWith(t, "no inputs", of1(func(x *nd.Array) *nd.Array { return x }))
}

// TestConstantsOfTheFunction exports arrays that f makes without the inputs.
func TestConstantsOfTheFunction(t *testing.T) {
	outside := ops.Exp(sample(4))
	exportOf(t, true, nil, of1(func(x *nd.Array) *nd.Array {
		inside := ops.Sqrt(nd.Arange(1, 5, 1, dtype.Float32))
		return ops.Add(ops.Multiply(x, inside), ops.Negative(outside))
	}), sample(3, 4))
}

func TestNamesInTheFile(t *testing.T) {
	params := nn.NewScope()
	f := func(s *nn.Scope, in []*nd.Array) []*nd.Array {
		defer s.Span("block")()
		h := ops.ReLU(nn.Affine(s.Sub("fc"), in[0], 5))
		return []*nd.Array{h, ops.ArgMax(h, ops.Over(1)), h}
	}
	var b bytes.Buffer
	o := ExportOptions{Params: params, Inputs: []string{"x"}, Outputs: []string{"h", "best"}, Batch: true}
	if err := Export(&b, f, []*nd.Array{sample(1, 4)}, o); err != nil {
		t.Fatal(err)
	}
	file, err := Read(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	var parameters []string
	for _, p := range file.message.Graph.Initializer {
		if params.Param(p.Name) != nil {
			parameters = append(parameters, p.Name)
		}
	}
	slices.Sort(parameters)
	if want := params.Names(); !slices.Equal(parameters, slices.Sorted(slices.Values(want))) {
		t.Errorf("the parameters are %q, want %q", parameters, want)
	}
	for _, n := range file.message.Graph.Node {
		if n.OpType == "Relu" && !strings.HasPrefix(n.Name, "block/") {
			t.Errorf("the node %q is not in its span", n.Name)
		}
	}
	all := append(file.Inputs(), file.Outputs()...)
	for i, want := range []string{"x FLOAT[?,4]", "h FLOAT[?,5]", "best INT64[?]", "output_2 FLOAT[?,5]"} {
		if got := all[i].Name + " " + all[i].Type.String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if d := file.message.Graph.Input[0].Type.TensorType.Shape.Dim[0]; d.DimParam != "batch" {
		t.Errorf("the first axis is named %q", d.DimParam)
	}
	if file.Opset("") != 17 {
		t.Errorf("opset %d", file.Opset(""))
	}
}

func TestBatchRefusesOtherOperations(t *testing.T) {
	f := of1(func(x *nd.Array) *nd.Array {
		for range x.Dim(0) {
			x = ops.Add(x, 1)
		}
		return x
	})
	err := Export(&bytes.Buffer{}, f, []*nd.Array{sample(2, 3)}, ExportOptions{Batch: true})
	if err == nil || !strings.Contains(err.Error(), "batch sizes 2 and 3") {
		t.Error(err)
	}
}
