// Package cudaops runs the library on NVIDIA GPUs.
//
// Importing it, in a program built with the tag cuda on Linux, registers the devices that exist, as cuda:0, cuda:1 and
// so on:
//
//	import _ "github.com/ndgrad/ndgrad/cudaops"
//	…
//	dev, err := device.Get("cuda:0")
//	x = x.To(dev)
//
// From then on all functions of x run on the GPU, with the same results. Without the tag, or without a GPU or a driver,
// nothing is registered, and [Err] returns the reason.
//
// Kernels are asynchronous: a call returns when its work is in the device's queue. An index out of range is therefore
// reported later, with the name of the function that received it: by the next call that waits for the device, such as
// reading an array, or by Synchronize. With CUDA_LAUNCH_BLOCKING=1 in the environment every call waits.
//
// A kernel interprets elementwise programs. If NVRTC is found, programs that have run some times are compiled in the
// background. NDGRAD_CUDA_PROGRAMS=interpret turns that off; with NDGRAD_CUDA_PROGRAMS=print all programs are compiled
// when they first run. If cuBLAS is found, it computes matrix products, unless NDGRAD_CUDA_PRODUCTS is "own".
// docs/cuda.md describes what else a user should know.
package cudaops
