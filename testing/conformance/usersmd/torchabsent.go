package main

// torchAbsent lists the names of torch that have no counterpart here, and what to use instead.
var torchAbsent = []absence{
	// Nothing is global.
	{"torch.no_grad torch.enable_grad torch.inference_mode torch.set_grad_enabled", "a tape records only operations on arrays that it watches; use `x.Detach()`"},
	{"torch.get_default_dtype torch.set_default_dtype torch.set_default_tensor_type torch.get_default_device torch.set_default_device torch.get_device_module", "`nd.ArrayOptions` for each array, `nn.ScopeOptions` for parameters"},
	{"torch.get_num_threads torch.set_num_threads torch.get_num_interop_threads torch.set_num_interop_threads torch.init_num_threads", "GOMAXPROCS at program start"},
	{"torch.use_deterministic_algorithms torch.are_deterministic_algorithms_enabled torch.is_deterministic_algorithms_warn_only_enabled torch.get_deterministic_debug_mode torch.set_deterministic_debug_mode", "results are bit-identical for any number of threads"},
	{"torch.set_anomaly_enabled torch.is_anomaly_enabled torch.is_anomaly_check_nan_enabled", "`optim.Gradients` has HasNaN and HasInf"},
	{"torch.autocast torch.autocast_decrement_nesting torch.autocast_increment_nesting torch.clear_autocast_cache torch.get_autocast_cpu_dtype torch.get_autocast_dtype torch.get_autocast_gpu_dtype torch.get_autocast_ipu_dtype torch.get_autocast_xla_dtype torch.is_autocast_cache_enabled torch.is_autocast_cpu_enabled torch.is_autocast_enabled torch.is_autocast_ipu_enabled torch.is_autocast_xla_enabled torch.set_autocast_cache_enabled torch.set_autocast_cpu_dtype torch.set_autocast_cpu_enabled torch.set_autocast_dtype torch.set_autocast_enabled torch.set_autocast_gpu_dtype torch.set_autocast_ipu_dtype torch.set_autocast_ipu_enabled torch.set_autocast_xla_dtype torch.set_autocast_xla_enabled", "`params.Watch(tape, nn.WatchOptions{Compute: dtype.BFloat16})`: [mixed precision](training.md#mixed-precision)"},
	{"torch.get_float32_matmul_precision torch.set_float32_matmul_precision torch.set_flush_denormal torch.set_warn_always torch.is_warn_always_enabled torch.is_distributed torch.is_vulkan_available", "nothing to set; there are no warnings"},

	// Arrays.
	{"torch.as_strided_scatter torch.empty_strided torch.empty_permuted torch.layout torch.memory_format", "new arrays are contiguous; `x.Index`, `x.Transpose` and `x.AsStrided` make views, `nd.WrapStrided` wraps a slice with strides"},
	{"torch.is_tensor", "use Go's types"},
	{"torch.is_conj torch.is_neg torch.is_storage torch.resize_as_ torch.from_dlpack torch.to_dlpack", "arrays are never lazy and never resized; `nd.Wrap` wraps foreign memory"},
	{"torch.combinations", "`ops.TriuIndices` with k = 1, then `ops.Take`"},
	{"torch.hash_tensor", "`nd.ToSlice`, then a hash function of package `hash`"},
	{"torch.segment_reduce", "`ops.UfuncOf(ops.Add).ReduceAt`"},
	{"torch.sparse_bsc_tensor torch.sparse_bsr_tensor torch.sparse_compressed_tensor torch.sparse_csc_tensor torch.sparse_csr_tensor torch.resize_as_sparse_ torch.dsmm torch.hsmm torch.hspmm torch.saddmm torch.smm torch.spmm torch.sspaddmm", "package `nd/ops/sparse`: `sparse.NewCSR`, `sparse.NewCSC`, `sparse.MatMul`"},

	// Matrices.
	{"torch.symeig", "`linalg.Eigh`, `linalg.EigvalsH`"},
	{"torch.lobpcg", "`linalg.Eigh`, which computes all values; `linalg.LowRankSVD`"},

	// torch.nn.functional.
	{"torch.nn.functional.linear_cross_entropy torch.nn.functional.grouped_mm", "`ops.MatMul`, then `loss.SoftmaxCrossEntropy`"},
	{"torch.conv_tbc torch.nn.functional.conv_tbc", "`conv.Convolution` of x.Transpose(1, 2, 0)"},
	{"torch.gru_cell torch.lstm_cell torch.rnn_relu_cell torch.rnn_tanh_cell", "`sequence.LSTM` and similar functions on a sequence of length 1; `sequence.LSTMGates`"},
	{"torch.embedding_renorm_", "`x.Assign` of the renormalised rows"},
	{"torch.nn.functional.handle_torch_function torch.nn.functional.has_torch_function torch.nn.functional.has_torch_function_unary torch.nn.functional.has_torch_function_variadic torch.nn.functional.assert_int_or_pair torch.nn.functional.boolean_dispatch", "for operations of your own see `examples/customop`"},

	// Special functions.
	{"torch.special.airy_ai torch.special.spherical_bessel_j0", "`ops.UnnormalizedSinc` is spherical_bessel_j0"},

	// Programs.
	{"torch.compile torch.fork torch.wait", "use Go itself and the `go` statement; `ops.MustKernel` fuses operations"},
	{"torch.import_ir_module torch.import_ir_module_from_buffer torch.parse_ir torch.parse_schema torch.parse_type_comment torch.merge_type_from_type_comment torch.unify_type_list torch.classproperty torch.thread_safe_generator torch.prepare_multiprocessing_environment torch.get_file_path torch.compiled_with_cxx11_abi torch.profiler_allow_cudagraph_cupti_lazy_reinit_cuda12", "there is no script compiler"},
}
