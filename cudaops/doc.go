// Package cudaops runs the library on GPUs of NVIDIA.
//
// Importing it, in a program built with the tag cuda on Linux, registers the devices cuda:0, cuda:1 and so on that are there:
//
//	import _ "github.com/ndgrad/ndgrad/cudaops"
//	…
//	dev, err := device.Get("cuda:0")
//	x = x.To(dev)
//
// From then on all functions of x run on the GPU, with the same results. Without the tag, or without a GPU or a driver, nothing is
// registered, and [Err] says why.
//
// Kernels are asynchronous: a call returns when its work is in the device's queue. An index out of range is therefore
// reported, with the name of the function that was given it, by the next call that waits for the device: one that reads an array, or
// Synchronize. With CUDA_LAUNCH_BLOCKING=1 in the environment every call waits.
//
// Elementwise programs are interpreted by a kernel, and compiled in the background, where NVRTC is found, once they have run some times.
// NDGRAD_CUDA_PROGRAMS=interpret turns that off; with NDGRAD_CUDA_PROGRAMS=print all are compiled when they first run. Products of
// matrices are cuBLAS', where that is found, unless NDGRAD_CUDA_PRODUCTS is "own". docs/cuda.md has what else a user should know.
package cudaops
