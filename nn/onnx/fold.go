package onnx

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nn/model"
)

// growing are operators whose results may be larger than what broadcasting their inputs explains: by the numbers in them, or
// because they combine all elements of two inputs. They are not computed when a file is read: a small file could fill the memory.
var growing = []string{"Tile", "OneHot", "EyeLike", "Pad", "Resize", "Upsample", "MatMul", "Gemm", "Einsum", "GatherND", "GridSample", "AffineGrid",
	"RoiAlign", "MaxRoiPool", "NonMaxSuppression", "RNN", "GRU", "LSTM", "ConvInteger", "QLinearConv", "DeformConv", "MatMulInteger", "QLinearMatMul",
	"CenterCropPad", "Col2Im", "MaxUnpool",
	"BlackmanWindow", "HammingWindow", "HannWindow", "MelWeightMatrix", "DFT", "STFT", "Conv", "ConvTranspose", "TfIdfVectorizer",
	"FusedMatMul", "FusedGemm", "FusedConv", "MatMulNBits", "DynamicQuantizeMatMul", "MatMulIntegerToFloat", "QAttention", "EmbedLayerNormalization"}

// drawing are operators whose results differ from call to call.
var drawing = []string{"RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike", "Bernoulli", "Multinomial", "Dropout"}

// fold computes a node whose inputs are all known, and reports whether it did so: then its outputs are constants.
func (g *graph) fold(n *node, in []string, compute run) bool {
	if compute == nil || n.problem != "" || len(in) == 0 ||
		slices.Contains(growing, n.OpType) || n.Domain == "ai.onnx.ml" || !n.isDeterministic() {
		return false
	}
	for i, v := range n.constants {
		if v == nil && n.given(i) {
			return false
		}
	}
	bytes, ok := n.bound()
	if !ok || bytes > g.spare {
		return false
	}
	var out []model.Value
	err := nd.Catch(func() { out = n.runner(compute, len(in))(g.params, nil, make([]model.Value, len(in))) })
	if err != nil || len(out) < len(n.Output) {
		return false // the call of the model says what is wrong
	}
	g.spare -= bytes
	for i, name := range n.Output {
		if name != "" {
			g.names[name] = g.constant(name, out[i])
		}
	}
	return true
}

// isDeterministic reports whether equal inputs always give equal outputs. Of nodes with graphs inside nobody knows.
func (n *node) isDeterministic() bool {
	hasGraph := slices.ContainsFunc(n.Attribute, func(a *attributeMessage) bool { return a.G != nil || len(a.Graphs) > 0 })
	return !hasGraph && !slices.Contains(drawing, n.OpType)
}

// bound returns a bound on the bytes of the node's results, and whether there is one.
func (n *node) bound() (int, bool) {
	const widest = 16
	total, shapes := 0, [][]int{}
	for _, v := range n.constants {
		switch v := v.(type) {
		case nil:
		case Texts:
			total += widest * len(v.Values)
		default:
			x := arrayIn(v)
			if x == nil {
				return 0, false
			}
			total += widest * x.Size()
			shapes = append(shapes, x.Shape())
		}
	}
	if joined, err := broadcast.Shapes(shapes...); err == nil {
		total = max(total, widest*broadcast.Product(joined...))
	}
	switch n.OpType {
	case "Gather": // a part of the data for each index
		data, indices := arrayIn(n.constants[0]), arrayIn(at(n.constants, 1))
		if data != nil && indices != nil {
			axis := n.int("axis", 0)
			if axis < 0 {
				axis += data.Rank()
			}
			parts := data.Size() / max(1, at(data.Shape(), max(axis, 0)))
			if float64(parts)*float64(indices.Size()) > 1<<40 {
				return 0, false
			}
			total += widest * parts * indices.Size()
		}
	case "Range":
		start, limit, step := number(n.constants[0]), number(n.constants[1]), number(n.constants[2])
		if count := (limit - start) / step; !(count < 1<<40) {
			return 0, false
		} else if count > 0 {
			total += widest * int(count+1)
		}
	case "ConstantOfShape", "Expand": // a view
		return total, true
	}
	return total, true
}

// number returns a value that is one number.
func number(v model.Value) float64 {
	x := arrayIn(v)
	if x == nil || x.Size() != 1 {
		return 0
	}
	return x.Reshape().Float()
}
