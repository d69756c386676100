// Package nccl connects GPUs by NVIDIA's library NCCL, for arrays on cuda:0, cuda:1 and so on. It needs other
// communicators first, such as those of MPI, by which the ranks find each other:
//
//	c, err := comm.Open(ctx) // with MPI
//	…
//	dev, err := device.Get(fmt.Sprintf("cuda:%d", c.LocalRank()))
//	…
//	e, err := nccl.Open(ctx, c, dev)
//	…
//	g := comm.New(e)
//
// The library, libnccl.so.2, is loaded by [Open], without cgo: pip install nvidia-nccl-cu12, or NVIDIA's packages
// libnccl2. It runs on Linux only, in programs that are built with the tag cuda (see package cudaops).
//
// A call returns when its work is in the queue of the device, where it runs in the order of the device's kernels.
package nccl
