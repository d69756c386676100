package nn_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/quantize"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/quant"
)

type (
	scope  = *nn.Scope
	array  = *nd.Array
	arrays = []*nd.Array
)

// layer is a call of a parametric function with operands of some shapes.
type layer struct {
	name   string
	shapes [][]int
	call   func(s scope, in arrays) arrays
}

// operands returns numbers from 0 to 1, or integers for Embed.
func (l *layer) operands(like nd.ArrayOptions) arrays {
	var in arrays
	for _, shape := range l.shapes {
		x := ops.Absolute(waves(shape...))
		if like.DType = dtype.Float32; l.name == "Embed" {
			like.DType = dtype.Int64
		}
		y := nd.Empty(shape, like)
		y.Assign(x.AsType(like.DType).To(y.Device()))
		in = append(in, y)
	}
	return in
}

// one wraps a function of one array with one result.
func one(f func(s scope, x array) array) func(s scope, in arrays) arrays {
	return func(s scope, in arrays) arrays { return arrays{f(s, in[0])} }
}

// three wraps a function of one array with its result and statistics.
func three(f func(s scope, x array) (y, mean, variance array)) func(s scope, in arrays) arrays {
	return func(s scope, in arrays) arrays {
		y, mean, variance := f(s, in[0])
		return arrays{y, mean, variance}
	}
}

// stateOf returns the result of a recurrent layer and its state.
func stateOf(y array, st *nn.State) arrays {
	results := arrays{y}
	for _, x := range [...]array{st.H, st.C} {
		if x != nil && x != y {
			results = append(results, x)
		}
	}
	return results
}

// allLayers returns calls of all parametric functions. A layer with a state beside its parameters gets a new state in
// each table.
func allLayers() []layer {
	vectors, images, lines := [][]int{{4, 6}}, [][]int{{2, 4, 5, 5}}, [][]int{{3, 2, 4}}
	window, pad := []int{3, 3}, nn.ConvolutionOptions{Pad: []int{1}}
	little := nn.TransformerOptions{NumHeads: 2, NumEncoderLayers: new(2), NumDecoderLayers: new(1), DimFeedforward: 5}
	inq := func() *quant.INQ { return quant.NewINQ(quantize.INQOptions{Iterations: []int{0, 1}}) }
	ofAffine, ofConvolution := inq(), inq()
	return []layer{
		{"Affine", vectors, one(func(s scope, x array) array { return nn.Affine(s, x, 3) })},
		{"SVDAffine", vectors, one(func(s scope, x array) array { return nn.SVDAffine(s, x, 3, 2) })},
		{"BinaryConnectAffine", vectors, one(func(s scope, x array) array { return quant.BinaryConnectAffine(s, x, 3) })},
		{"BinaryWeightAffine", vectors, one(func(s scope, x array) array { return quant.BinaryWeightAffine(s, x, 3) })},
		{"FixedPointAffine", vectors, one(func(s scope, x array) array { return quant.FixedPointAffine(s, x, 3) })},
		{"Pow2Affine", vectors, one(func(s scope, x array) array { return quant.Pow2Affine(s, x, 3) })},
		{"MinMaxAffine", vectors, one(func(s scope, x array) array {
			return quant.MinMaxAffine(s, x, 3, quant.MinMaxAffineOptions{W: quant.MinMaxOptions{XMinMax: true, EMA: true}})
		})},
		{"PrunedAffine", vectors, one(func(s scope, x array) array { return quant.PrunedAffine(s, x, 3) })},
		{"INQAffine", vectors, one(func(s scope, x array) array { return quant.INQAffine(s, x, 3, ofAffine) })},

		{"Convolution", images, one(func(s scope, x array) array { return nn.Convolution(s, x, 4, window, pad) })},
		{"Deconvolution", images, one(func(s scope, x array) array { return nn.Deconvolution(s, x, 4, window) })},
		{"DepthwiseConvolution", images, one(func(s scope, x array) array { return nn.DepthwiseConvolution(s, x, window) })},
		{"DepthwiseDeconvolution", images, one(func(s scope, x array) array { return nn.DepthwiseDeconvolution(s, x, window) })},
		{"DeformableConvolution", [][]int{{2, 4, 5, 5}, {2, 18, 3, 3}}, func(s scope, in arrays) arrays {
			return arrays{nn.DeformableConvolution(s, in[0], 4, window, in[1])}
		}},
		{"SVDConvolution", images, one(func(s scope, x array) array { return nn.SVDConvolution(s, x, 4, window, 2) })},
		{"CPD3Convolution", images, one(func(s scope, x array) array {
			return nn.CPD3Convolution(s, x, 4, window, 2, nn.CPD3ConvolutionOptions{MaxIter: 3})
		})},
		{"BinaryConnectConvolution", images, one(func(s scope, x array) array { return quant.BinaryConnectConvolution(s, x, 4, window) })},
		{"BinaryWeightConvolution", images, one(func(s scope, x array) array { return quant.BinaryWeightConvolution(s, x, 4, window) })},
		{"FixedPointConvolution", images, one(func(s scope, x array) array {
			return quant.FixedPointConvolution(s, x, 4, window)
		})},
		{"Pow2Convolution", images, one(func(s scope, x array) array { return quant.Pow2Convolution(s, x, 4, window) })},
		{"MinMaxConvolution", images, one(func(s scope, x array) array { return quant.MinMaxConvolution(s, x, 4, window) })},
		{"PrunedConvolution", images, one(func(s scope, x array) array { return quant.PrunedConvolution(s, x, 4, window) })},
		{"INQConvolution", images, one(func(s scope, x array) array { return quant.INQConvolution(s, x, 4, window, ofConvolution) })},

		{"BatchNormalization", images, one(func(s scope, x array) array { return nn.BatchNormalization(s, x) })},
		{"BatchNormalizationWithStat", images, three(func(s scope, x array) (y, mean, variance array) {
			return nn.BatchNormalizationWithStat(s, x, nn.BatchNormalizationOptions{BatchStat: new(true)})
		})},
		{"SyncBatchNormalization", images, one(func(s scope, x array) array { return nn.SyncBatchNormalization(s, x) })},
		{"FusedBatchNormalization", [][]int{{4, 6}, {4, 6}}, func(s scope, in arrays) arrays {
			return arrays{nn.FusedBatchNormalization(s, in[0], in[1])}
		}},
		{"LayerNormalization", images, one(func(s scope, x array) array { return nn.LayerNormalization(s, x) })},
		{"LayerNormalizationWithStat", images, three(func(s scope, x array) (y, mean, variance array) { return nn.LayerNormalizationWithStat(s, x) })},
		{"InstanceNormalization", images, one(func(s scope, x array) array { return nn.InstanceNormalization(s, x) })},
		{"InstanceNormalizationWithStat", images, three(func(s scope, x array) (y, mean, variance array) {
			return nn.InstanceNormalizationWithStat(s, x)
		})},
		{"GroupNormalization", images, one(func(s scope, x array) array { return nn.GroupNormalization(s, x, 2) })},
		{"GroupNormalizationWithStat", images, three(func(s scope, x array) (y, mean, variance array) { return nn.GroupNormalizationWithStat(s, x, 2) })},
		{"WeightNormalization", vectors, one(func(s scope, x array) array { return nn.WeightNormalization(s, x) })},
		{"SpectralNorm", vectors, one(func(s scope, x array) array { return nn.SpectralNorm(s, x) })},
		{"MeanSubtraction", vectors, one(func(s scope, x array) array { return nn.MeanSubtraction(s, x) })},

		{"PReLU", vectors, one(func(s scope, x array) array { return nn.PReLU(s, x) })},
		{"MinMax", vectors, one(func(s scope, x array) array { return quant.MinMax(s, x) })},
		{"Embed", vectors, one(func(s scope, x array) array { return nn.Embed(s, x, 2, 3) })},
		{"Dropout", vectors, one(func(s scope, x array) array { return nn.Dropout(s, nn.Affine(s, x, 5), 0.5) })},
		{"Checkpoint", vectors, one(func(s scope, x array) array {
			return nn.Checkpoint(s, func(s scope, x array) array { return ops.Tanh(nn.Affine(s, x, 3)) }, x)
		})},

		{"MultiHeadAttention", lines, one(func(s scope, x array) array {
			return nn.MultiHeadAttention(s, x, x, x, nn.MultiHeadAttentionOptions{NumHeads: 2, Causal: true, AddAttnBias: true, Dropout: 0.5})
		})},
		{"MultiHeadAttentionWithWeights", lines, func(s scope, in arrays) arrays {
			y, weights := nn.MultiHeadAttentionWithWeights(s, in[0], in[0], in[0], nn.MultiHeadAttentionOptions{NumHeads: 2, Causal: true})
			return arrays{y, weights}
		}},
		{"TransformerEncode", lines, one(func(s scope, x array) array {
			return nn.TransformerEncode(s, x, 2, nn.TransformerEncodeOptions{DimFeedforward: 5})
		})},
		{"TransformerDecode", [][]int{{3, 2, 4}, {2, 2, 4}}, func(s scope, in arrays) arrays {
			return arrays{nn.TransformerDecode(s, in[0], in[1], 2, nn.TransformerDecodeOptions{DimFeedforward: 5})}
		}},
		{"Transformer", [][]int{{3, 2, 4}, {2, 2, 4}}, func(s scope, in arrays) arrays {
			return arrays{nn.Transformer(s, in[0], in[1], little)}
		}},
		{"RNN", lines, one(func(s scope, x array) array { return nn.RNN(s, x, nil, 3) })},
		{"LSTM", lines, func(s scope, in arrays) arrays {
			st := new(nn.State)
			return stateOf(nn.LSTM(s, in[0], st, 3, nn.RecurrentOptions{Layers: 2, Bidirectional: true, Dropout: 0.5}), st)
		}},
		{"GRU", [][]int{{3, 2, 4}, {1, 1, 2, 3}}, func(s scope, in arrays) arrays {
			st := &nn.State{H: in[1]}
			return stateOf(nn.GRU(s, in[0], st, 3), st)
		}},
		{"LSTMCell", vectors, func(s scope, in arrays) arrays {
			st := new(nn.State)
			return stateOf(nn.LSTMCell(s, in[0], st, 3), st)
		}},
	}
}

// TestAllLayers compares the table, and the overviews, with the packages nn and quant.
func TestAllLayers(t *testing.T) {
	var tried, there []string
	for _, l := range allLayers() {
		tried = append(tried, l.name)
	}
	for _, folder := range []string{".", "quant"} {
		layers := layersIn(t, folder)
		there = append(there, layers...)
		overview, err := os.ReadFile(filepath.Join(folder, "doc.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range layers {
			if name = strings.TrimSuffix(name, "WithStat"); !bytes.Contains(overview, []byte("["+strings.TrimSuffix(name, "WithWeights")+"]")) {
				t.Errorf("the overview of the package lacks %s", name)
			}
		}
	}
	slices.Sort(tried)
	slices.Sort(there)
	if !slices.Equal(tried, there) {
		t.Errorf("tried are %v, there are %v", tried, there)
	}
}

// layersIn lists the parametric functions of a package.
func layersIn(t *testing.T, folder string) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range regexp.MustCompile(`(?m)^func ([A-Z]\w*)\(scope \*(?:nn\.)?Scope, \w+,? .*\*nd\.Array`).FindAllSubmatch(source, -1) {
			names = append(names, string(found[1]))
		}
	}
	return names
}
