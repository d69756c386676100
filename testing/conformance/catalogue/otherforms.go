package catalogue

import (
	"slices"
	"strings"
)

// OtherForm is a documented argument that the library has in another form than as an argument in order or an option of
// its name, in all rows whose names begin with a text.
type OtherForm struct {
	Argument string
	Names    string // what the documented names begin with
	How      string
}

// OtherForms returns all of them.
func OtherForms() []OtherForm { return slices.Clone(otherForms) }

// OtherFormOf returns the first entry for an argument of a documented name.
func OtherFormOf(name, argument string) (OtherForm, bool) {
	for _, f := range otherForms {
		if f.Argument == argument && strings.HasPrefix(name, f.Names) {
			return f, true
		}
	}
	return OtherForm{}, false
}

// Forms that several arguments have.
const (
	unreduced    = "no is the call without the outer reduction"
	bothResults  = "both are returned"
	nilUnlessSet = "false is nil lengths"
	withoutBias  = "true is a nil bias"
	fromLayout   = "ChannelLast for NWC, NHWC and NDHWC"
	lastAxis     = "false is a BaseAxis of the last axis"
	inArray      = "part of a quantize.Array: see quantize.FromRange and Array.Range"
	endsOfRange  = "the larger absolute one is Max, or the range to give to quantize.FromRange"
	fieldOfW     = "a field of the option W, without _w in its name"
	fieldOfB     = "a field of the option B, without _b in its name"
	isWithStat   = "true is the function that ends with WithStat"
	skipped      = "false leaves the call out"
	aligned      = "like the other parameters and statistics, it needs as many axes as the data: ops.AlignLike"
	strideOfOne  = "[]int{1} if it is empty; nil is the kernel here"
	fieldsRoles  = "an argument of the function in the field"
)

// otherForms has the special entries of an argument first.
var otherForms = []OtherForm{
	{"batch_dims", "nnabla.functions.gather", "the argument batch, 0 if it is None"},
	{"border_mode", "nnabla.functions.shift", "nearest is ops.PadEdge, reflect ops.PadSymmetric"},
	{"constant_value", "nnabla.functions.pad", "the option Value"},
	{"nonlinearity", "nnabla.functions.fused_batch_normalization", "relu, which is the only one"},
	{"only_index", "nnabla.functions.", bothResults},
	{"with_index", "nnabla.functions.", bothResults},
	{"output_size", "nnabla.functions.interpolate", "the argument size"},
	{"output_stat", "nnabla.", isWithStat},
	{"output_u", "nnabla.functions.spectral_norm", "keep a copy of u from before the call"},
	{"sampling_ratio", "nnabla.functions.roi_align", "the option Samples"},
	{"start", "nnabla.functions.shape", "slice the result, a []int"},
	{"end", "nnabla.functions.shape", "slice the result, a []int"},
	{"as_stft_backward", "nnabla.functions.", "the option Transposed"},
	{"as_istft_backward", "nnabla.functions.", "the option Transposed"},
	{"group", "nnabla.functions.sync_batch_normalization", "the option Gather of a communicator's group: see nn.SyncBatchNormalization"},
	{"binary_weight", "nnabla.functions.", "the first result of the quantisation; Assign keeps it"},
	{"alpha", "nnabla.functions.binary_weight_", "the second result of quantize.BinaryWeight; Assign keeps it"},
	{"bias", "nnabla.functions.", "the argument b"},
	{"inq_iterations", "nnabla.", "the option Iterations of quantize.NewINQ"},
	{"seed", "nnabla.", "the option Rand of quantize.NewINQ"},
	{"kernel", "nnabla.functions.max_pooling", oneLength},
	{"kernel", "nnabla.functions.average_pooling", oneLength},
	{"kernel", "nnabla.functions.sum_pooling", oneLength},
	{"kernel", "nnabla.functions.unpooling", oneLength},
	{"device_id", "nnabla.Context", "part of the name, as cuda:1"},
	{"inputs", "nnabla.function.PythonFunction.forward_impl", fieldsRoles},
	{"outputs", "nnabla.function.PythonFunction.forward_impl", "the results of the function in the field"},
	{"propagate_down", "nnabla.function.PythonFunction.backward_impl", "only the gradients of watched inputs are used"},
	{"j", "nnabla.function.PythonFunction.grad_depends_input_data", "HasIn of the Claims"},
	{"o", "nnabla.function.", "HasOut of the Claims"},
	{"self", "nnabla.initializer.", "a function: it is called with a stream, the shape and the options of the array"},
	{"shape", "nnabla.initializer.", "an argument of the initializer, which is a function"},
	{"state_size", "nnabla.parametric_functions.", "the argument size"},
	{"quantize_w", "nnabla.parametric_functions.", fieldOfW},
	{"sign_w", "nnabla.parametric_functions.", fieldOfW},
	{"with_zero_w", "nnabla.parametric_functions.", fieldOfW},
	{"n_w", "nnabla.parametric_functions.", fieldOfW},
	{"m_w", "nnabla.parametric_functions.", fieldOfW},
	{"delta_w", "nnabla.parametric_functions.", fieldOfW},
	{"ste_fine_grained_w", "nnabla.parametric_functions.", fieldOfW},
	{"rate_w", "nnabla.parametric_functions.", fieldOfW},
	{"prune_w", "nnabla.parametric_functions.", "false is KeepW"},
	{"quantize_b", "nnabla.parametric_functions.", fieldOfB},
	{"sign_b", "nnabla.parametric_functions.", fieldOfB},
	{"with_zero_b", "nnabla.parametric_functions.", fieldOfB},
	{"n_b", "nnabla.parametric_functions.", fieldOfB},
	{"m_b", "nnabla.parametric_functions.", fieldOfB},
	{"delta_b", "nnabla.parametric_functions.", fieldOfB},
	{"ste_fine_grained_b", "nnabla.parametric_functions.", fieldOfB},
	{"rate_b", "nnabla.parametric_functions.", fieldOfB},
	{"prune_b", "nnabla.parametric_functions.", "false is KeepB"},

	{"x", "cupy.ElementwiseKernel", "an argument of CallMany"},
	{"y", "cupy.ElementwiseKernel", "an argument of CallMany"},
	{"x", "cupy.ReductionKernel", "an item of args"},
	{"y", "cupy.ReductionKernel", "an item of args"},
	{"indices_or_sections", "cupy.", "a number of parts, or the indices at which they begin"},
	{"ndmin", "cupy.array", "see nd.FromSlice, which takes a shape"},
	{"order", "cupy.ndarray.copy", "C is Copy, K CopyInOrder, F CopyFortran"},
	{"order", "cupy.", "F is CopyFortran of the result"},
	{"copy", "cupy.ndarray.astype", "true is Copy of the result; AsType returns x itself if it has the dtype"},
	{"retstep", "cupy.linspace", "nd.SpaceStep returns the step"},
	{"axes", "cupy.tensordot", "the option N for a number, A and B for lists"},
	{"constant_values", "", "the option Value"},
	{"end_values", "numpy.pad", "the option Value, with ops.PadLinearRamp"},
	{"args", "cupy.savez", "named arrays"},
	{"func1d", "numpy.apply_along_axis", "the argument f"},
	{"returned", "numpy.average", "true is ops.AverageAndWeight"},
	{"rtol", "numpy.linalg.pinv", "the option RCond"},
	{"axis", "numpy.linalg.vector_norm", "the option Axes"},
	{"items", "numpy.", "the ranges, as made by nd.Arange"},
	{"ops", "numpy.view_chain", "methods of views, such as Transpose"},

	{"reduce", "chainer.functions.sigmoid_cross_entropy", "mean is loss.CountMeanReduction, no loss.NoReduction"},
	{"reduce", "chainer.functions.softmax_cross_entropy", "mean is loss.CountMeanReduction; no is loss.NoReduction, whose result keeps axis 1"},
	{"reduce", "chainer.functions.", unreduced},
	{"normalize", "chainer.functions.", "false is loss.BatchMeanReduction"},
	{"multioutput", "chainer.functions.r2_score", "raw_values is the call without ops.Mean"},
	{"sampler", "chainer.functions.negative_sampling", "draws the samples: see link.NegativeSampler"},
	{"sample_size", "chainer.functions.negative_sampling", "the second length of the samples"},
	{"running_mean", "chainer.functions.batch_normalization", "the argument mean"},
	{"running_var", "chainer.functions.batch_normalization", "the argument variance"},
	{"train", "chainer.functions.", skipped},
	{"inv", "chainer.functions.permutate", "true is a call with ops.ArgSort(indices)"},
	{"pooling_class", "chainer.functions.spatial_pyramid_pooling_2d", "MaxPooling2D, which is the only one"},
	{"device_id", "chainer.cuda.get_device_from_id", "part of the name, as cuda:1; a negative number is cpu"},
	{"x", "chainer.links.Classifier", "an argument of Classifier.Loss"},
	{"t", "chainer.links.Classifier", "an argument of Classifier.Loss"},
	{"links", "chainer.ChainList", "the items of the slice"},
	{"self", "chainer.ChainList.add_link", "append adds to the slice"},
	{"self", "chainer.links.LSTM.set_state", "the state is a value of its own"},
	{"link", "chainer.Optimizer.", "the argument scope"},
	{"gradients", "chainer.", "an argument of the function in the field"},
	{"state", "chainer.GradientMethod.update_one", "the argument of SetState, before UpdateOne"},
	{"format", "chainer.computational_graph.", "dot, which is the only one"},
	{"self", "chainer.initializer.", "a function: it is called with a stream, the shape and the options of the array"},
	{"array", "chainer.initializer.", "gets the result by Assign"},
	{"self", "chainer.dataset.DatasetMixin", "a type with these methods"},
	{"index", "chainer.dataset.DatasetMixin", "the argument of At"},
	{"self", "chainer.dataset.Iterator", "a type with these methods"},
	{"label_dtype", "chainer.datasets.get_mnist", "labels are int64; AsType converts them"},
	{"repeat", "chainer.iterators.", "false is Once, of data.SamplerOptions"},
	{"n_processes", "chainer.iterators.", "the argument workers"},
	{"n_prefetch", "chainer.iterators.", "the argument ahead"},
	{"loss_func", "chainer.training.StandardUpdater", "the argument loss"},
	{"eval_func", "chainer.training.extensions.Evaluator", "the argument loss"},
	{"trainer", "chainer.training.Updater", "passes a reporter to Update"},
	{"default_name", "chainer.training.make_extension", "Name, of the Settings"},
	{"function", "chainer.function.FunctionHook.", fieldsRoles},
	{"in_data", "chainer.function.FunctionHook.forward_", fieldsRoles},
	{"out_grad", "chainer.function.FunctionHook.", fieldsRoles},
	{"inputs", "chainer.Function.", fieldsRoles},
	{"grad_outputs", "chainer.Function.", fieldsRoles},

	{"act_type", "mxnet.npx.quantized_act", "relu, which is the only one"},
	{"act_type", "mxnet.npx.leaky_relu", "elu, selu, gelu, gelu_tanh, prelu and rrelu are ops.ELU, SELU, GELUErf, GELU, PReLU and RReLU"},
	{"gamma", "mxnet.npx.leaky_relu", "the slopes of ops.PReLU"},
	{"lower_bound", "mxnet.npx.leaky_relu", "an option of ops.RReLU"},
	{"upper_bound", "mxnet.npx.leaky_relu", "an option of ops.RReLU"},
	{"mode", "mxnet.npx.dropout", "training leaves the call out in evaluation, always does not"},
	{"mode", "mxnet.npx.contrib_quantized_rnn", "lstm, which is the only one"},
	{"fix_gamma", "mxnet.npx.", "true is a nil gamma"},
	{"use_global_stats", "mxnet.npx.", "true is the option BatchStat false"},
	{"gamma", "mxnet.npx.batch_norm", aligned},
	{"gamma", "mxnet.npx.sync_batch_norm", aligned},
	{"gamma", "mxnet.npx.layer_norm", aligned},
	{"gamma", "mxnet.npx.group_norm", aligned},
	{"gamma", "mxnet.npx.instance_norm", aligned},
	{"gamma", "chainer.functions.batch_normalization", aligned},
	{"gamma", "chainer.functions.fixed_batch_normalization", aligned},
	{"axis", "mxnet.npx.layer_norm", "the only axis that is not among the others"},
	{"stride", "mxnet.npx.pooling", strideOfOne},
	{"stride", "mxnet.npx.quantized_pooling", strideOfOne},
	{"mode", "cupy.linalg.qr", "r is linalg.QRTriangle, raw linalg.QRReflectors"},
	{"k", "mxnet.npx.topk", "0 means all: x.Dim(axis)"},
	{"output_mean_var", "mxnet.npx.batch_norm", isWithStat + "; MXNet returns 1/ops.Sqrt(variance + eps)"},
	{"output_mean_var", "mxnet.npx.sync_batch_norm", isWithStat},
	{"output_mean_var", "mxnet.npx.", isWithStat + "; MXNet returns ops.Sqrt(variance + eps)"},
	{"in_format", "mxnet.npx.box_nms", "center is InCenter"},
	{"out_format", "mxnet.npx.box_nms", "center is OutCenter"},
	{"msg", "mxnet.npx.constraint_check", "panic with it if the value is false"},
	{"layout", "mxnet.npx.deformable_convolution", "NCHW, which is the only one"},
	{"layout", "mxnet.npx.modulated_deformable_convolution", "NCHW, which is the only one"},
	{"layout", "mxnet.npx.", fromLayout},
	{"kernel", "mxnet.npx.", "follows from the shape of the weight"},
	{"num_filter", "mxnet.npx.", "follows from the shape of the weight"},
	{"num_hidden", "mxnet.npx.", "follows from the shape of the weight"},
	{"no_bias", "mxnet.npx.", withoutBias},
	{"flatten", "mxnet.npx.", lastAxis},
	{"use_data_lengths", "mxnet.npx.ctc_loss", nilUnlessSet},
	{"data_lengths", "mxnet.npx.ctc_loss", "the option InputLengths"},
	{"use_label_lengths", "mxnet.npx.ctc_loss", nilUnlessSet + ", and the option Padding"},
	{"blank_label", "mxnet.npx.ctc_loss", "last is a Blank and a Padding of -1"},
	{"use_length", "mxnet.npx.", nilUnlessSet},
	{"use_sequence_length", "mxnet.npx.rnn", nilUnlessSet},
	{"use_sequence_length", "mxnet.npx.contrib_quantized_rnn", "false, which is the only value"},
	{"use_sequence_length", "mxnet.npx.sequence_mask", "false is data itself"},
	{"use_sequence_length", "mxnet.npx.sequence_last", "false is data.Index(nd.At(-1)), for axis 0"},
	{"use_sequence_length", "mxnet.npx.sequence_reverse", "false is data.Flip(axis)"},
	{"state_outputs", "mxnet.npx.", "the states are always returned"},
	{"projection_size", "mxnet.npx.contrib_quantized_rnn", "None, which is the only value"},
	{"state_size", "mxnet.npx.contrib_quantized_rnn", "follows from the shape of the state"},
	{"data_scale", "mxnet.npx.contrib_quantized_rnn", "1/Scale of the quantize.Array x"},
	{"data_shift", "mxnet.npx.contrib_quantized_rnn", "ZeroPoint of the quantize.Array x"},
	{"ind", "mxnet.npx.", "the argument indices, a row for each axis: a vector is ind.Reshape(1, -1)"},
	{"out_dtype", "mxnet.npx.norm", "AsType of the result, which is 0-d and not of shape (1)"},
	{"constant_value", "mxnet.npx.pad", "the option Value"},
	{"keepdims", "mxnet.npx.pick", "true is the call without Squeeze"},
	{"pool_type", "mxnet.npx.pooling", "max, sum, avg and lp are conv.MaxPooling, SumPooling, AveragePooling and LPPooling"},
	{"pool_type", "mxnet.npx.quantized_pooling", "max is conv.MaxPooling of the integers, avg quantize.AveragePooling"},
	{"p_value", "mxnet.npx.pooling", "an argument of conv.LPPooling"},
	{"global_pool", "mxnet.npx.", "true is a kernel with the lengths of the image"},
	{"pooling_convention", "mxnet.npx.", "full is CoverPadding, same IgnoreBorder false"},
	{"count_include_pad", "mxnet.npx.", "IncludingPad of conv.AveragePooling"},
	{"squeeze_axis", "mxnet.npx.slice_channel", "true is ops.Unstack"},
	{"ret_typ", "mxnet.npx.topk", "values and indices are returned; mask is ops.TopKMask"},
	{"order", "mxnet.npx.", "C, which is the only one"},
	{"newshape", "mxnet.npx.", "the argument codes"},
	{"scaling", "mxnet.npx.intgemm_fully_connected", "Scale of the quantize.Array w"},
	{"out_type", "mxnet.npx.intgemm_fully_connected", "float32 is quantize.DynamicFullyConnected, int32 quantize.FullyConnected"},
	{"out_type", "mxnet.npx.", "the option DType"},
	{"already_quantized", "mxnet.npx.intgemm_prepare_weight", "true is the weight itself"},
	{"enable_float_output", "mxnet.npx.quantized_elemwise_mul", "true is Dequantize of the product"},
	{"min_calib_range", "mxnet.npx.", endsOfRange},
	{"max_calib_range", "mxnet.npx.", endsOfRange},
	{"min_range", "mxnet.npx.requantize", inArray},
	{"max_range", "mxnet.npx.requantize", inArray},
	{"min_data", "mxnet.npx.", inArray},
	{"max_data", "mxnet.npx.", inArray},
	{"min_weight", "mxnet.npx.", inArray},
	{"max_weight", "mxnet.npx.", inArray},
	{"min_bias", "mxnet.npx.", inArray},
	{"max_bias", "mxnet.npx.", inArray},
	{"lhs_min", "mxnet.npx.", inArray},
	{"lhs_max", "mxnet.npx.", inArray},
	{"rhs_min", "mxnet.npx.", inArray},
	{"rhs_max", "mxnet.npx.", inArray},
}

// oneLength says how NNabla's poolings differ.
const oneLength = "one length is for the last axis only, not for all: x.Reshape joins the other axes with the batch"
