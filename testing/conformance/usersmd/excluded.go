package main

// exclusions is the one table of public names that the documents leave out; a test holds it to 15 % of all names.
var exclusions = []exclusion{
	// NumPy.
	exclude(`numpy\.(\w+\.)?test|numpy\.(show_config|show_runtime|get_include|info)`, "about the installation of NumPy itself"),

	// torch: what lies in its modules beside the functions that its documents describe.
	exclude(`torch\.((nn\.functional|linalg|fft|special)\.)?[A-Z]\w*`, "classes of torch's compiler, scripts and storage, and of Python's typing"),
	exclude(`torch\.(\w*[^x]|view_as_complex)_copy`, "functions of views that copy, for torch's compiler"),
	exclude(`torch\.(cudnn|miopen|mkldnn|fbgemm|native|(nn\.functional\.)?native)_\w+|torch\.batch_norm_\w+|torch\.convolution|torch\.nn\.functional\.scaled_\w*mm_?`, "parts of a backend, which other functions call"),
	exclude(`torch\.(quantize_per_channel|quantized|q_per|q_|fused_moving|choose_qparams|empty_quantized|qscheme)\w*`, "tensors of a quantised type: `quantize.Array` is a struct"),
	exclude(`torch\.sym_\w+`, "numbers of torch's compiler"),
}
