package catalogue

import (
	"slices"
	"strings"
)

// IgnoredArgument is a documented argument that has no meaning in this library, in all rows whose names begin with a text.
type IgnoredArgument struct {
	Argument string
	Names    string // what the documented names begin with; "" for all
	Why      string // the reason, and what to use instead
}

// IgnoredArguments returns the reasons for all arguments that rows ignore, and for arguments that rows need not have.
func IgnoredArguments() []IgnoredArgument { return slices.Clone(ignoredArguments) }

// ignoredArgument returns the first entry for an argument that a documented name has and its row ignores or lacks.
func ignoredArgument(name, argument string) (IgnoredArgument, bool) {
	for _, a := range ignoredArguments {
		if a.Argument == argument && strings.HasPrefix(name, a.Names) {
			return a, true
		}
	}
	return IgnoredArgument{}, false
}

// Reasons that several arguments share.
const (
	asFast      = "a choice among algorithms; the library chooses by shapes"
	fromScope   = "the scope has the dtype of its parameters"
	noSparse    = "arrays are dense"
	goTest      = "the message is that of the test"
	ofStream    = "random numbers come from the stream that is passed, or from the stream of a scope"
	oneProcess  = "the row runs in one process; nn.SyncBatchNormalization in several"
	ofBatchRows = "batches are arrays as soon as they are read: data.Examples converts examples"
	ownLoop     = "belongs to the CUDA source around the body, which does not exist here: cudaops.Device.RawKernel compiles whole sources"
	byDevice    = "every device merges axes by itself"
	fromWeight  = "follows from the shape of the weight"
)

// ignoredArguments are the reasons, the special ones of an argument first.
var ignoredArguments = []IgnoredArgument{
	{"outputs", "nnabla.functions.", "a function writes into an array by its option Out, or by ops.Into, if it has one; other results are assigned, as y.Assign(f(x))"},
	{"n_outputs", "nnabla.functions.", "the number of results follows from the function"},

	{"reduce_dims", "cupy.", byDevice},
	{"options", "cupy.", "nvcc is not used; cudaops.Device.RawKernel takes options of NVRTC"},
	{"preamble", "cupy.", "write functions and macros out in the body; " + ownLoop},
	{"loop_prep", "cupy.", "the body may declare variables; " + ownLoop},
	{"after_loop", "cupy.", ownLoop},
	{"mmap_mode", "cupy.load", "a mapped file would need memory of the operating system in arrays; nd.OpenNpyRows reads a few rows at a time of an array that is larger than the memory"},
	{"memptr", "cupy.ndarray", "nd.Wrap and nd.WrapStrided use a Go slice as the memory of an array"},
	{"strides", "cupy.ndarray", "nd.WrapStrided takes strides, and Array.AsStrided makes views"},

	{"use_cudnn", "", "cuDNN is not used"},
	{"cudnn_off", "", "cuDNN is not used"},
	{"cudnn_tune", "", "cuDNN is not used"},
	{"deterministic", "", "all results are reproducible bit by bit"},
	{"workspace", "", asFast},
	{"im2col_step", "", asFast},
	{"kind", "numpy.argsort", "every sort is stable"},
	{"assume_unique", "numpy.", asFast},
	{"compute_mode", "torch.cdist", asFast},
	{"win_length", "torch.", "the window has this length"},
	{"return_complex", "torch.stft", "the result is complex"},
	{"onesided", "torch.istft", "the number of frequencies says whether the transform is one-sided"},
	{"cache_score", "chainer.", "the tape keeps what the gradient reads"},
	{"inplace", "nnabla.functions.", "ops.Into(x) writes the result into x"},
	{"copy", "numpy.nan_to_num", "ops.Into(x) writes the result into x"},
	{"copy", "cupy.meshgrid", "the results are views; Array.Copy copies"},
	{"force_tuple", "chainer.", "the result is always a slice"},
	{"forward_stype", "mxnet.npx.", noSparse},
	{"sparse_grad", "mxnet.npx.", noSparse},
	{"input_dim", "mxnet.npx.", fromWeight},
	{"output_dim", "mxnet.npx.", fromWeight},
	{"num_hidden", "mxnet.npx.", fromWeight},
	{"dtype", "mxnet.npx.", "the result has the dtype of the weight"},
	{"dtype", "cupy.testing.", "AsType converts arrays before they are compared"},
	{"dtype", "", fromScope},
	{"min_calib_range", "mxnet.npx.batch_norm", "hints for a quantised form, which is a function of its own"},
	{"max_calib_range", "mxnet.npx.batch_norm", "hints for a quantised form, which is a function of its own"},
	{"p_value", "mxnet.npx.quantized_pooling", "integers are pooled by maximum and mean only"},
	{"p", "mxnet.npx.contrib_quantized_rnn", "there is no dropout in inference"},
	{"lstm_state_clip_nan", "mxnet.npx.", "NaN stays NaN, which a clipped state must not hide"},
	{"ndev", "mxnet.npx.sync_batch_norm", oneProcess},
	{"key", "mxnet.npx.sync_batch_norm", oneProcess},
	{"ctx", "mxnet.npx.", "the option Device, or the device of an argument"},
	{"ctx", "nnabla.", "arrays know their device"},
	{"array_class", "nnabla.Context", "a device has one kind of memory"},
	{"eps", "nnabla.functions.norm_normalization", "NNabla itself ignores it; the option Eps follows the document"},
	{"padding_value", "nnabla.functions.pad_packed_sequence", "NNabla itself ignores it; the option PaddingValue follows the document"},
	{"sample_weight", "chainer.functions.r2_score", "the document says that it has no effect"},
	{"batch_size", "nnabla.parametric_functions.LSTMCell", "follows from the first input"},

	{"seed", "", ofStream},
	{"rng", "", ofStream},
	{"method", "cupy.random.RandomState", "the streams are Philox's"},

	{"accum", "nnabla.", "gradients are returned; the caller adds them"},
	{"bind_grad_output", "nnabla.grad", "gradients are returned"},
	{"persistent_outputs", "nnabla.grad", "a tape keeps what gradients read, and the caller the outputs"},
	{"outputs", "nnabla.function.Function.recompute", "the results are returned"},
	{"i", "nnabla.function.", "Claims holds for the gradients of all inputs together"},
	{"in_data", "chainer.function.FunctionHook.", "the node shows dtypes and shapes; values may have been freed"},
	{"retain_grad", "chainer.Variable.backward", "Tape.Gradient takes any arrays, intermediate ones too"},
	{"grad", "chainer.Variable", "gradients are returned, not stored in arrays"},
	{"name", "chainer.Variable", "graph.Options.Names names arrays"},
	{"volatile", "", "a tape records only what is computed from watched arrays"},
	{"params", "nnabla.parameter.get_parameters", "internal to the recursion"},
	{"path", "nnabla.parameter.get_parameters", "internal to the recursion"},
	{"remove_split", "chainer.computational_graph.", "the document says that it must be True"},
	{"sep", "chainer.function_hooks.PrintHook", "the text is written to an io.Writer"},
	{"end", "chainer.function_hooks.PrintHook", "the text is written to an io.Writer"},
	{"flush", "chainer.function_hooks.PrintHook", "the text is written to an io.Writer"},

	{"observer", "chainer.Reporter.", "a Reporter made by Sub takes its part"},
	{"observers", "chainer.Reporter.", "Reporters made by Sub take their part"},
	{"link", "chainer.Chain.add_link", "links are values; only parameters are in the scope"},
	{"mask", "chainer.links.SimplifiedDropconnect", "the field Mask"},
	{"finetune", "chainer.links.BatchNormalization", "the field Finetune"},
	{"reduce", "chainer.links.NegativeSampling", "the field Reduce"},
	{"pretrained_model", "chainer.links.", "nn.Load reads parameters into the scope"},
	{"test", "chainer.links.", "the view of the scope selects training or evaluation"},
	{"train", "chainer.links.", "the view of the scope selects training or evaluation"},

	{"converter", "chainer.training.", ofBatchRows},
	{"device", "chainer.training.", "Scope.To moves the model to a device"},
	{"device", "numpy.fft.", "Array.To moves an array"},
	{"optimizer", "chainer.training.extensions.", "a pair of functions, such as train.LearningRate(optimizer), stands for the attribute"},
	{"root_name", "chainer.training.extensions.dump_graph", "UpdaterOptions.OnLoss passes the loss on"},
	{"savefun", "chainer.training.extensions.", "the file name's extension selects the format"},
	{"trigger", "chainer.training.extensions.", "train.Settings has the trigger of every extension"},
	{"name", "chainer.Optimizer.add_hook", "a hook is a call, and has no name"},
	{"serializer", "chainer.Optimizer.serialize", "package archive saves and loads"},
	{"shared_mem", "chainer.iterators.", "goroutines share memory"},

	{"err_msg", "cupy.testing.", goTest},
	{"verbose", "cupy.testing.", "a failure always shows how the arrays differ"},
	{"verbose", "chainer.", "nothing is printed"},
	{"accept_error", "cupy.testing.", "assert.RaisesOnDevices expects errors"},
	{"type_check", "cupy.testing.", "dtypes must agree on all devices"},
	{"name", "cupy.testing.", "the tested function gets a device as its argument"},
	{"xp", "cupy.testing.", "Array.To moves an array to a device"},
	{"label_expected", "chainer.testing.", "labels are not tested"},
	{"interprocess", "cupy.cuda.Event", "an event belongs to one process"},
	{"stream", "", "copies are in the device's own stream"},
	{"color", "cupy.cuda.nvtx.", "marks have the tool's colours"},
	{"id_color", "cupy.cuda.nvtx.", "marks have the tool's colours"},
	{"color_id", "cupy.prof.", "marks have the tool's colours"},
	{"argb_color", "cupy.prof.", "marks have the tool's colours"},
}
