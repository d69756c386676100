package catalogue

import (
	"fmt"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// deviceRows is the chapter of devices, their memory, array files and kernel calls, which no golden case covers.
var deviceRows = []Row{
	{Signature: "cupy.cuda.Device(device=None)", Func: device.Get, Note: "takes a name, such as cuda:0"},
	{Signature: "cupy.cuda.Device.__repr__(self)", Func: device.Device.Name},
	{Signature: "cupy.cuda.Device.__eq__(self, other)", Func: func(self, other device.Device) bool { return self.Name() == other.Name() },
		Note: "compare devices with =="},
	{Signature: "cupy.cuda.Device.__ne__(self, other)", Func: func(self, other device.Device) bool { return self.Name() != other.Name() },
		Note: "compare devices with !="},
	{Signature: "cupy.cuda.Device.synchronize(self)", Func: device.Device.Synchronize},
	{Signature: "cupy.cuda.alloc(size)", Func: func(size int) *nd.Array { return nd.Empty([]int{size}, dtype.Uint8) },
		NoGrad: true, Note: "the bytes are an array"},
	{Signature: "cupy.cuda.Memory(device, size)", Func: device.Device.Alloc, Note: "freed with Free; arrays need no such call"},
	{Signature: "cupy.cuda.MemoryPointer(mem, offset)", Func: func(mem *nd.Array, offset int) *nd.Array { return mem.Index(nd.From(offset)) },
		Note: "a view points into memory"},
	{Signature: "cupy.cuda.MemoryPointer.copy_from(self, mem, size)", Func: copyFrom, Writes: []string{"self"}, Note: "between any devices"},
	{Signature: "cupy.cuda.MemoryPointer.copy_from_device(self, src, size)", Func: copyFrom, Writes: []string{"self"}, Note: "between any devices"},
	{Signature: "cupy.cuda.MemoryPointer.copy_from_host(self, mem, size)", Func: func(self *nd.Array, mem []uint8, size int) {
		self.Index(nd.Until(size)).Assign(nd.FromSliceOn(self.Device(), mem[:size]))
	}, Writes: []string{"self"}},
	{Signature: "cupy.cuda.MemoryPointer.copy_to_host(self, mem, size)", Func: func(self *nd.Array, mem []uint8, size int) {
		nd.CopyTo(mem[:size], self.Index(nd.Until(size)))
	}},
	{Signature: "cupy.cuda.MemoryPointer.memset(self, value, size)", Func: func(self *nd.Array, value uint8, size int) {
		nd.Fill(self.Index(nd.Until(size)), value)
	}, Writes: []string{"self"}, Note: "for an array of bytes"},

	{Signature: "cupy.ndarray(shape, dtype=float, memptr=None, strides=None, order='C')",
		Func:    ordered(func(shape []int, o nd.ArrayOptions) *nd.Array { return nd.Empty(shape, o) }),
		Ignores: []string{"memptr", "strides"}},
	{Signature: "cupy.ndarray.device(self)", Func: (*nd.Array).Device},

	{Signature: "cupy.load(file, mmap_mode=None)", Func: nd.LoadNpy, Ignores: []string{"mmap_mode"}, Note: "nd.LoadNpz reads .npz files, nd.OpenNpz one array at a time, nd.OpenNpyRows some rows of an array"},
	{Signature: "cupy.save(file, arr)", Func: nd.SaveNpy},
	{Signature: "cupy.savez(file, *args)", Func: func(file string, args []*nd.Array) error {
		return nd.SaveNpz(file, numbered(args), false)
	}, Note: "every array needs a name"},
	{Signature: "cupy.savez_compressed(file, *args)", Func: func(file string, args []*nd.Array) error {
		return nd.SaveNpz(file, numbered(args), true)
	}, Note: "every array needs a name"},

	{Signature: "cupy.ElementwiseKernel.__call__(self, *args, size=None)", Func: func(self *ops.Kernel, args []*nd.Array, size *int) []*nd.Array {
		if size != nil {
			return self.CallOver([]int{*size}, args...)
		}
		return self.CallMany(args...)
	}},
	{Signature: "cupy.ReductionKernel.__call__(self, *args, axis=None, keepdims=False)", Func: (*ops.ReductionKernel).Call},
}

func copyFrom(self, src *nd.Array, size int) {
	self.Index(nd.Until(size)).Assign(src.Index(nd.Until(size)).To(self.Device()))
}

// numbered names arrays as NumPy does when no names are given.
func numbered(xs []*nd.Array) []nd.Named {
	next := 0
	return converted(xs, func(x *nd.Array) nd.Named {
		next++
		return nd.Named{Name: fmt.Sprintf("arr_%d", next-1), Array: x}
	})
}
