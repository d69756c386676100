package main

// exclusions lists the public names that the documents leave out. A test limits them to 15 % of all names.
var exclusions = []exclusion{
	// NumPy.
	exclude(`numpy\.(\w+\.)?test|numpy\.(show_config|show_runtime|get_include|info)`, "about the installation of NumPy itself"),

	// torch: public names of its modules that are not documented functions.
	exclude(`torch\.((nn\.functional|linalg|fft|special)\.)?[A-Z]\w*`, "classes of torch's compiler, scripts and storage, and of Python's typing"),
	exclude(`torch\.(\w*[^x]|view_as_complex)_copy`, "copying variants of view functions, for torch's compiler"),
	exclude(`torch\.(cudnn|miopen|mkldnn|fbgemm|native|(nn\.functional\.)?native)_\w+|torch\.batch_norm_\w+|torch\.convolution|torch\.nn\.functional\.scaled_\w*mm_?`, "internal functions of a backend"),
	exclude(`torch\.(quantize_per_channel|quantized|q_per|q_|fused_moving|choose_qparams|empty_quantized|qscheme)\w*`, "tensors with a quantised dtype: here `quantize.Array` is a struct"),
	exclude(`torch\.sym_\w+`, "symbolic numbers of torch's compiler"),
}
