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
)

// written gives the expressions of rows that combine functions, which the rules do not write, by the documented name:
// first the variables, as parameters of a Go function, then the expressions, the main one first. The variables have the
// names of the documented arguments.
var written = map[string][]string{
	// One array from several functions.
	"chainer.functions.bernoulli_nll":       {"x, y *nd.Array", "ops.Sum(loss.BernoulliNLL(x, y))"},
	"chainer.functions.bias":                {"x, y *nd.Array, axis int", "ops.Add(x, ops.AlignLike(y, x, ops.Over(axis)))"},
	"chainer.functions.black_out":           {"x, t, W, samples *nd.Array", "ops.Mean(loss.BlackOut(x, t, W, samples))"},
	"chainer.functions.contrastive":         {"x0, x1, y *nd.Array, margin float64", "ops.Mean(loss.Contrastive(x0, x1, y, loss.ContrastiveOptions{Margin: new(margin)}))"},
	"chainer.functions.crf1d":               {"cost *nd.Array, xs, ys []*nd.Array", "ops.Mean(sequence.CRF1D(cost, xs, ys))"},
	"chainer.functions.cross_covariance":    {"y, z *nd.Array", "ops.Multiply(ops.Sum(ops.Square(loss.CrossCovariance(y, z))), 0.5)"},
	"chainer.functions.gaussian_nll":        {"x, mean, ln_var *nd.Array", "ops.Sum(loss.GaussianNLL(x, mean, ln_var))"},
	"chainer.functions.hinge":               {"x, t *nd.Array, norm string", "ops.Mean(ops.Sum(loss.Hinge(x, t, loss.HingeOptions{Norm: loss.HingeNorm(norm)}), ops.Over(1)))"},
	"chainer.functions.mean_absolute_error": {"x0, x1 *nd.Array", "ops.Mean(loss.AbsoluteError(x0, x1, ops.UfuncOptions{Kink: ops.KinkEven}))"},
	"chainer.functions.mean_squared_error":  {"x0, x1 *nd.Array", "ops.Mean(loss.SquaredError(x0, x1))"},
	"chainer.functions.negative_sampling":   {"x, t, W, samples *nd.Array", "ops.Sum(loss.NegativeSampling(x, t, W, samples))"},
	"chainer.functions.r2_score":            {"pred, true_ *nd.Array", "ops.Mean(ops.R2Score(pred, true_))"},
	"chainer.functions.scale":               {"x, y *nd.Array, axis int", "ops.Multiply(x, ops.AlignLike(y, x, ops.Over(axis)))"},
	"chainer.functions.select_item":         {"x, t *nd.Array", "ops.TakeAlongAxis(x, t.ExpandDims(1), ops.Over(1)).Squeeze(1)"},
	"chainer.functions.triplet":             {"anchor, positive, negative *nd.Array, margin float64", "ops.Mean(loss.Triplet(anchor, positive, negative, loss.TripletOptions{Margin: new(margin)}))"},

	"chainer.functions.gaussian_kl_divergence": {"mean, ln_var *nd.Array", "ops.Sum(loss.GaussianKLDivergence(mean, ln_var))"},
	"chainer.functions.huber_loss": {"x, t *nd.Array, delta float64",
		"ops.Sum(ops.Multiply(loss.HuberLoss(x, t, loss.HuberLossOptions{Delta: new(delta)}), 0.5), ops.Over(1))"},
	"chainer.functions.connectionist_temporal_classification": {"x []*nd.Array, t *nd.Array, blank_symbol int, input_length, label_length *nd.Array",
		"ops.Mean(sequence.CTCLoss(ops.Stack(x), t, sequence.CTCLossOptions{Blank: blank_symbol, InputLengths: input_length, LabelLengths: label_length}))"},
	"chainer.functions.depthwise_convolution_2d": {"x, W, b *nd.Array",
		"conv.DepthwiseConvolution(x, W.SwapAxes(0, 1).Reshape(-1, W.Dim(2), W.Dim(3)), b, conv.DepthwiseConvolutionOptions{Multiplier: W.Dim(0)})"},
	"chainer.functions.spatial_transformer_grid": {"theta *nd.Array, output_shape []int",
		"image.AffineGrid(theta, output_shape, image.AffineGridOptions{AlignCorners: true}).MoveAxis([]int{-1}, []int{1})"},

	"nnabla.functions.batch_logdet":               {"x *nd.Array", "linalg.SlogDet(x)"},
	"nnabla.functions.bool_gather":                {"input, mask *nd.Array", "input.Index(nd.Pick(mask.AsType(dtype.Bool)))"},
	"nnabla.functions.flip":                       {"x *nd.Array, axes []int", "x.Flip(axes...)"},
	"nnabla.functions.matrix_diag_part":           {"x *nd.Array", "x.Diagonal(0, -2, -1)"},
	"nnabla.functions.slice":                      {"x *nd.Array, start, stop, step int", "x.Index(nd.Ellipsis(), nd.Span(start, stop).By(step))"},
	"nnabla.functions.shift":                      {"x *nd.Array, shifts []int", "ops.Shift(x, shifts, ops.ShiftOptions{Mode: ops.PadEdge})"},
	"nnabla.functions.gru":                        {"x, h, weight_l0 *nd.Array", "sequence.GRU(x, h, weight_l0)"},
	"nnabla.functions.lstm":                       {"x, h, c, weight_l0 *nd.Array", "sequence.LSTM(x, h, c, weight_l0)"},
	"nnabla.functions.rnn":                        {"x, h, weight_l0 *nd.Array", "sequence.RNN(x, h, weight_l0)"},
	"nnabla.functions.binary_connect_affine":      {"x, weight, bias *nd.Array", "ops.Affine(x, quantize.BinaryConnect(weight), ops.AffineOptions{Bias: bias})"},
	"nnabla.functions.binary_connect_convolution": {"x, weight, bias *nd.Array", "conv.Convolution(x, quantize.BinaryConnect(weight), bias)"},
	"nnabla.functions.binary_weight_affine":       {"x, weight, scaled, bias *nd.Array", "quantize.BinaryWeight(weight)", "ops.Affine(x, scaled, ops.AffineOptions{Bias: bias})"},
	"nnabla.functions.binary_weight_convolution":  {"x, weight, scaled, bias *nd.Array", "quantize.BinaryWeight(weight)", "conv.Convolution(x, scaled, bias)"},
	"nnabla.functions.scatter_nd": {"data, indices *nd.Array, shape []int, out *nd.Array",
		"ops.ScatterND(data, indices, shape)", "out.Assign(ops.ScatterND(data, indices, nil, ops.ScatterOptions{Onto: out}))"},
	"nnabla.functions.bool_scatter": {"input, mask, output *nd.Array, shape []int",
		"nd.Zeros(shape, input.DType()).With(input, nd.Pick(mask.AsType(dtype.Bool)))", "output.Assign(input, nd.Pick(mask.AsType(dtype.Bool)))"},
	"nnabla.functions.where": {"condition, x_true, x_false *nd.Array",
		"ops.Where(condition, x_true, x_false)", "ops.Where(ops.AlignLike(condition, x_true, ops.Over(0)), x_true, x_false)"},
	"nnabla.functions.broadcast_to": {"x, y *nd.Array, axis int", "ops.BroadcastLike(y, x)", "ops.BroadcastLike(ops.AlignLike(y, x, ops.Over(axis)), x)"},

	"nnabla.functions.roi_align": {"input, boxes *nd.Array, output_size []int, spatial_scale []float64, channel_last bool",
		"image.ROIAlign(input, boxes, output_size, image.ROIAlignOptions{Scale: spatial_scale, ChannelLast: channel_last})"},

	"mxnet.npx.pad":         {"data *nd.Array, mode string, pad_width []int", "ops.Pad(data, pad_width, ops.PadOptions{Mode: ops.PadMode(mode)})"},
	"chainer.functions.pad": {"x *nd.Array, pad_width [][2]int, mode string", "ops.Pad(x, pad_width, ops.PadOptions{Mode: ops.PadMode(mode)})"},
	"cupy.pad":              {"array *nd.Array, pad_width [][2]int, mode string", "ops.Pad(array, pad_width, ops.PadOptions{Mode: ops.PadMode(mode)})"},
	"mxnet.npx.pooling":     {"data *nd.Array, kernel, stride []int", "conv.MaxPooling(data, kernel, conv.PoolingOptions{Stride: stride})"},
	"mxnet.npx.quantized_pooling": {"data *nd.Array, kernel, stride []int", "conv.MaxPooling(data, kernel, conv.PoolingOptions{Stride: stride})",
		"quantize.AveragePooling(quantize.Array{Values: data, Scale: 1}, kernel, conv.AveragePoolingOptions{Stride: stride})"},
	"mxnet.npx.group_norm":      {"data, gamma, beta *nd.Array, num_groups int", "normalize.GroupNormalization(data, beta, gamma, num_groups)"},
	"mxnet.npx.instance_norm":   {"data, gamma, beta *nd.Array, eps float64", "normalize.InstanceNormalization(data, beta, gamma, normalize.InstanceNormalizationOptions{Eps: new(eps)})"},
	"mxnet.npx.layer_norm":      {"data, gamma, beta *nd.Array, others []int", "normalize.LayerNormalization(data, beta, gamma, normalize.LayerNormalizationOptions{BatchAxis: others})"},
	"mxnet.npx.batch_flatten":   {"data *nd.Array", "data.Reshape(data.Dim(0), -1)"},
	"mxnet.npx.fully_connected": {"data, weight, bias *nd.Array", "ops.Affine(data, weight.T(), ops.AffineOptions{Bias: bias})"},
	"mxnet.npx.slice":           {"data *nd.Array, begin, end, step int", "data.Index(nd.Span(begin, end).By(step))"},
	"mxnet.npx.pick": {"data, index *nd.Array, axis int, mode string",
		"ops.TakeAlongAxis(data, index.AsType(dtype.Int64).ExpandDims(axis), ops.Over(axis), ops.TakeAlongOptions{Mode: ops.IndexMode(mode)}).Squeeze(axis)"},
	"mxnet.npx.ctc_loss": {"data, label *nd.Array",
		"sequence.CTCLoss(data, label.AsType(dtype.Int64), sequence.CTCLossOptions{Padding: new(0), ZeroInfinity: true})"},
	"mxnet.npx.constraint_check":    {"input *nd.Array", "nd.Value[bool](ops.All(input))"},
	"mxnet.npx.intgemm_maxabsolute": {"data *nd.Array", "ops.Max(ops.Absolute(data)).Reshape(1)"},
	"mxnet.npx.intgemm_prepare_data": {"data, maxabs *nd.Array",
		"quantize.Symmetric(data, quantize.SymmetricOptions{Max: maxabs.Float()}).Values"},
	"mxnet.npx.intgemm_prepare_weight": {"weight, maxabs *nd.Array",
		"quantize.Symmetric(weight, quantize.SymmetricOptions{Max: maxabs.Float()}).Values"},
	"mxnet.npx.batch_norm": {"data, gamma, beta, moving_mean, moving_var *nd.Array, eps, momentum float64",
		"normalize.BatchNormalization(data, beta, gamma, moving_mean, moving_var, normalize.BatchNormalizationOptions{DecayRate: new(momentum), Eps: new(eps), BiasedVariance: true})"},
	"mxnet.npx.sync_batch_norm": {"data, gamma, beta, moving_mean, moving_var *nd.Array, eps, momentum float64",
		"normalize.BatchNormalization(data, beta, gamma, moving_mean, moving_var, normalize.BatchNormalizationOptions{DecayRate: new(momentum), Eps: new(eps), BiasedVariance: true})"},
	"mxnet.npx.deformable_convolution": {"data, offset, weight, bias *nd.Array, dilate []int, num_group, num_deformable_group int",
		"conv.DeformableConvolution(data, weight, offset, nil, bias, conv.DeformableConvolutionOptions{Dilation: dilate, Group: num_group, DeformableGroup: num_deformable_group, Inside: true})"},
	"mxnet.npx.modulated_deformable_convolution": {"data, offset, mask, weight, bias *nd.Array, dilate []int, num_group, num_deformable_group int",
		"conv.DeformableConvolution(data, weight, offset, mask, bias, conv.DeformableConvolutionOptions{Dilation: dilate, Group: num_group, DeformableGroup: num_deformable_group})"},

	"cupy.hsplit": {"ary *nd.Array, parts int, indices []int", "ops.Split(ary, parts, ops.Over(1))", "ops.SplitAt(ary, indices, ops.Over(1))"},
	"cupy.vsplit": {"ary *nd.Array, parts int, indices []int", "ops.Split(ary, parts, ops.Over(0))", "ops.SplitAt(ary, indices, ops.Over(0))"},
	"cupy.dsplit": {"ary *nd.Array, parts int, indices []int", "ops.Split(ary, parts, ops.Over(2))", "ops.SplitAt(ary, indices, ops.Over(2))"},
	"cupy.c_":     {"items []*nd.Array", "ops.Concatenate(items, ops.Over(-1))", "ops.ColumnStack(items)"},
	"cupy.r_":     {"items []*nd.Array", "ops.Concatenate(items)"},
	"numpy.mgrid": {"ranges []*nd.Array", "nd.Meshgrid(ranges, nd.MeshgridOptions{Indexing: nd.IndexingIJ})"},
	"numpy.ogrid": {"ranges []*nd.Array", "nd.Meshgrid(ranges, nd.MeshgridOptions{Indexing: nd.IndexingIJ, Sparse: true})"},

	// The axes, the type or the sign belong to the expression.
	"cupy.ndarray":             {"shape []int, dtype dtype.DType", "nd.Empty(shape, dtype)"},
	"cupy.ndarray.__float__":   {"self *nd.Array", "nd.Value[float64](self)"},
	"cupy.ndarray.__hex__":     {"self *nd.Array", `fmt.Sprintf("%#x", nd.Value[int](self))`},
	"cupy.ndarray.__int__":     {"self *nd.Array", "nd.Value[int](self)"},
	"cupy.ndarray.__len__":     {"self *nd.Array", "self.Dim(0)"},
	"cupy.ndarray.__long__":    {"self *nd.Array", "nd.Value[int64](self)"},
	"cupy.ndarray.__nonzero__": {"self *nd.Array", "nd.Value[bool](self)"},
	"cupy.ndarray.__oct__":     {"self *nd.Array", `fmt.Sprintf("%O", nd.Value[int](self))`},
	"cupy.ndarray.itemsize":    {"self *nd.Array", "self.DType().Size()"},

	"cupy.cuda.Device.__ge__":                        {"self, other *cudaops.Device", "self.Ordinal() >= other.Ordinal()"},
	"cupy.cuda.Device.__gt__":                        {"self, other *cudaops.Device", "self.Ordinal() > other.Ordinal()"},
	"cupy.cuda.Device.__le__":                        {"self, other *cudaops.Device", "self.Ordinal() <= other.Ordinal()"},
	"cupy.cuda.Device.__lt__":                        {"self, other *cudaops.Device", "self.Ordinal() < other.Ordinal()"},
	"cupy.cuda.MemoryPointer":                        {"mem *nd.Array, offset int", "mem.Index(nd.From(offset))"},
	"cupy.cuda.MemoryPointer.__add__":                {"self *nd.Array, y int", "self.Index(nd.From(y))"},
	"cupy.cuda.MemoryPointer.__iadd__":               {"self *nd.Array, y int", "self.Index(nd.From(y))"},
	"cupy.cuda.MemoryPointer.__isub__":               {"self *nd.Array, y uint64", "cudaops.Address(self) - y"},
	"cupy.cuda.MemoryPointer.__radd__":               {"self *nd.Array, y int", "self.Index(nd.From(y))"},
	"cupy.cuda.MemoryPointer.__rsub__":               {"self *nd.Array, y uint64", "cudaops.Address(self) - y"},
	"cupy.cuda.MemoryPointer.__sub__":                {"self *nd.Array, y uint64", "cudaops.Address(self) - y"},
	"cupy.cuda.MemoryPointer.copy_from":              {"self, mem *nd.Array, size int", "self.Index(nd.Until(size)).AssignFrom(mem.Index(nd.Until(size)))"},
	"cupy.cuda.MemoryPointer.copy_from_device":       {"self, src *nd.Array, size int", "self.Index(nd.Until(size)).AssignFrom(src.Index(nd.Until(size)))"},
	"cupy.cuda.MemoryPointer.copy_from_host":         {"self *nd.Array, mem []byte, size int", "self.Index(nd.Until(size)).AssignFrom(nd.Wrap(mem[:size]))"},
	"cupy.cuda.MemoryPointer.copy_from_async":        {"self, mem *nd.Array, size int, stream *cudaops.Stream", "stream.Copy(self.Index(nd.Until(size)), mem.Index(nd.Until(size)))"},
	"cupy.cuda.MemoryPointer.memset_async":           {"self *nd.Array, value byte, size int, stream *cudaops.Stream", "stream.Fill(self.Index(nd.Until(size)), value)"},
	"cupy.cuda.MemoryPointer.copy_from_device_async": {"self, src *nd.Array, size int, stream *cudaops.Stream", "stream.Copy(self.Index(nd.Until(size)), src.Index(nd.Until(size)))"},

	// Statements that write to an argument.
	"cupy.ndarray.fill":            {"self, value *nd.Array", "self.Assign(value)"},
	"cupy.ndarray.scatter_add":     {"self *nd.Array, slices []nd.Index, value *nd.Array", "self.Assign(ops.AddAt(self, value, slices...))"},
	"cupy.ndarray.set":             {"self, arr *nd.Array", "self.AssignFrom(arr)"},
	"cupy.scatter_add":             {"a *nd.Array, slices []nd.Index, value *nd.Array", "a.Assign(ops.AddAt(a, value, slices...))"},
	"nnabla.functions.assign":      {"dst, src *nd.Array", "dst.Assign(src)"},
	"chainer.Variable.copydata":    {"self, var_ *nd.Array", "self.AssignFrom(var_)"},
	"chainer.cuda.copy":            {"array *nd.Array, out_device device.Device", "array.Copy()", "array.CopyOn(out_device)"},
	"chainer.init_weight":          {"rng *nd.Rand, weights *nd.Array, initializer initializer.Initializer, scale float64", "weights.Assign(ops.Multiply(initializer(rng, weights.Shape(), nd.ArrayOptions{DType: weights.DType()}), scale))"},
	"chainer.Link.zerograds":       {"gradients *optim.Gradients", "gradients.FillMissing()"},
	"chainer.Optimizer.zero_grads": {"gradients *optim.Gradients", "gradients.FillMissing()"},

	// The learning rate is an option.
	"chainer.optimizers.SGD":         {"lr float64", "optim.NewSGD(optim.SGDOptions{LR: lr})"},
	"chainer.optimizers.MomentumSGD": {"lr, momentum float64", "optim.NewMomentum(optim.MomentumOptions{LR: lr, Momentum: new(momentum)})"},
	"chainer.optimizers.AdaGrad":     {"lr, eps float64", "optim.NewAdaGrad(optim.AdaGradOptions{LR: lr, Eps: new(eps)})"},
	"chainer.optimizers.RMSprop":     {"lr, alpha, eps float64", "optim.NewRMSprop(optim.RMSpropOptions{LR: lr, Decay: new(alpha), Eps: new(eps)})"},
	"chainer.optimizers.RMSpropGraves": {"lr, alpha, momentum, eps float64",
		"optim.NewRMSpropGraves(optim.RMSpropGravesOptions{LR: lr, Decay: new(alpha), Momentum: new(momentum), Eps: eps})"},
}

// Written returns the calls of a row whose expressions are written by hand; none for other rows.
func Written(source, documented string) ([]Call, error) {
	texts := written[documented]
	if texts == nil {
		return nil, nil
	}
	s, err := load(source)
	if err != nil {
		return nil, err
	}
	calls := make([]Call, len(texts)-1)
	for k, text := range texts[1:] {
		if calls[k], err = s.written(texts[0], text); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", documented, text, err)
		}
	}
	return calls, nil
}

// written makes a call of an expression with the given parameters as its variables.
func (s *source) written(parameters, text string) (Call, error) {
	c := Call{Text: text, Imports: map[string]string{}}
	e, err := parser.ParseExpr(text)
	if err != nil {
		return c, err
	}
	if _, call := e.(*ast.CallExpr); !call {
		text = "_ = " + text
	}
	c.Check = "func _(" + parameters + ") { " + text + " }"
	file, err := parser.ParseFile(token.NewFileSet(), "", "package p; "+c.Check, 0)
	if err != nil {
		return c, err
	}
	for _, id := range file.Unresolved {
		if path := s.packages[id.Name]; path != "" {
			c.Imports[id.Name] = path
		} else if id.Name == "fmt" {
			c.Imports[id.Name] = id.Name
		}
	}
	f, info, err := s.check(c)
	if err != nil {
		return c, err
	}
	for _, field := range f.Type.Params.List {
		for _, id := range field.Names {
			c.Variables = append(c.Variables, Variable{id.Name, types.TypeString(info.TypeOf(field.Type), (*types.Package).Name)})
		}
	}
	if statement, ok := f.Body.List[0].(*ast.ExprStmt); ok {
		switch value := info.Types[statement.X]; t := value.Type.(type) {
		case *types.Tuple:
			c.Results = t.Len()
		default:
			if value.IsValue() {
				c.Results = 1
			}
		}
	}
	return c, nil
}

// check type-checks the function of a call.
func (s *source) check(c Call) (*ast.FuncDecl, *types.Info, error) {
	var text strings.Builder
	text.WriteString("package p\n")
	for _, name := range slices.Sorted(maps.Keys(c.Imports)) {
		fmt.Fprintf(&text, "import %s %q\n", name, c.Imports[name])
	}
	text.WriteString(c.Check)
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", text.String(), parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, err
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	config := types.Config{Importer: s.imports, Sizes: types.SizesFor("gc", "amd64")}
	if _, err := config.Check("p", files, []*ast.File{file}, info); err != nil {
		return nil, nil, err
	}
	return file.Decls[len(file.Decls)-1].(*ast.FuncDecl), info, nil
}

// OptionsIn returns the options of the functions in a call, by the names of their fields; axis and axes for those that
// take axes alone. They include the fields of a type, and of the type of a method's receiver.
func OptionsIn(source string, c Call) ([]string, error) {
	s, err := load(source)
	if err != nil {
		return nil, err
	}
	f, info, err := s.check(c)
	if err != nil {
		return nil, err
	}
	var names []string
	ast.Inspect(f, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		switch t := info.TypeOf(e).(type) {
		case nil:
		case *types.Signature:
			if n := t.Params().Len(); n > 0 {
				last := t.Params().At(n - 1).Type()
				if list, ok := last.(*types.Slice); ok && t.Variadic() {
					last = list.Elem()
				}
				names = append(names, fieldsOf(last)...)
			}
		default:
			names = append(names, fieldsOf(t)...)
		}
		return true
	})
	return names, nil
}

// fieldsOf returns the fields of a struct, or of all structs that are options of a family, and "axis" and "axes" for axes.
func fieldsOf(t types.Type) (names []string) {
	if pointer, ok := t.(*types.Pointer); ok {
		t = pointer.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || !public(named.Obj().Pkg().Path()) {
		return nil
	}
	switch u := named.Underlying().(type) {
	case *types.Struct:
		for field := range u.Fields() {
			names = append(names, field.Name())
			if field.Embedded() {
				names = append(names, fieldsOf(field.Type())...)
			}
		}
	case *types.Interface:
		if !isOption(t) {
			return nil
		}
		scope := named.Obj().Pkg().Scope()
		for _, name := range scope.Names() {
			if member, ok := scope.Lookup(name).(*types.TypeName); ok && !types.IsInterface(member.Type()) && types.Implements(member.Type(), u) {
				names = append(names, fieldsOf(member.Type())...)
			}
		}
	case *types.Slice:
		if named.Obj().Name() == "Axes" {
			names = []string{"axis", "axes"}
		}
	}
	return names
}
