package named_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// These names of cupy.cuda work on every device. Those of GPUs alone are in cuda_test.go.

func TestDevices(t *testing.T) {
	cpu, ref := one[device.Device](t, "cupy.cuda.Device", "cpu"), reference(t)
	equal(t, "the CPU", cpu, nd.Zeros(nil).Device())
	equal(t, "the reference device", one[device.Device](t, "cupy.cuda.Device", "ref"), ref)
	refused(t, "no device", "cupy.cuda.Device", "abacus:3")
	equal(t, "repr", one[string](t, "cupy.cuda.Device.__repr__", ref), "ref")
	equal(t, "cpu == cpu", one[bool](t, "cupy.cuda.Device.__eq__", cpu, cpu), true)
	equal(t, "cpu == ref", one[bool](t, "cupy.cuda.Device.__eq__", cpu, ref), false)
	equal(t, "cpu != cpu", one[bool](t, "cupy.cuda.Device.__ne__", cpu, cpu), false)
	equal(t, "cpu != ref", one[bool](t, "cupy.cuda.Device.__ne__", cpu, ref), true)
	if r := call(t, "cupy.cuda.Device.synchronize", ref); len(r.Values) != 0 {
		t.Errorf("synchronize returns %v", r.Values)
	}
}

// TestMemoryPointers writes to 6 bytes through pointers, from and to both devices.
func TestMemoryPointers(t *testing.T) {
	for _, dev := range []device.Device{nd.Zeros(nil).Device(), reference(t)} {
		memory := one[device.Memory](t, "cupy.cuda.Memory", dev, 100)
		dev.Free(memory)

		mem := one[*nd.Array](t, "cupy.cuda.alloc", 6)
		equal(t, "dtype", mem.DType(), dtype.Uint8)
		equal(t, "shape", mem.Shape(), []int{6})
		mem = mem.To(dev)
		call(t, "cupy.cuda.MemoryPointer.memset", mem, 7, 6)
		third := one[*nd.Array](t, "cupy.cuda.MemoryPointer", mem, 2)
		call(t, "cupy.cuda.MemoryPointer.memset", third, 9, 1)
		equal(t, "after memset", mem, []uint8{7, 7, 9, 7, 7, 7})
		for _, add := range []string{"cupy.cuda.MemoryPointer.__add__", "cupy.cuda.MemoryPointer.__radd__", "cupy.cuda.MemoryPointer.__iadd__"} {
			last := one[*nd.Array](t, add, third, 3)
			if !last.SharesMemory(mem) || last.Size() != 1 {
				t.Errorf("%s is no view of the last byte", add)
			}
		}
		call(t, "cupy.cuda.MemoryPointer.copy_from_host", third, []uint8{1, 2, 3}, 2)
		equal(t, "after a copy of two bytes from the host", mem, []uint8{7, 7, 1, 2, 7, 7})
		host := make([]uint8, 3)
		call(t, "cupy.cuda.MemoryPointer.copy_to_host", third, host, 2)
		equal(t, "two bytes on the host", host, []uint8{1, 2, 0})
		source := nd.FromSlice([]uint8{20, 21, 22}) // on the CPU
		call(t, "cupy.cuda.MemoryPointer.copy_from", third, source, 1)
		equal(t, "after a copy of one byte", mem, []uint8{7, 7, 20, 2, 7, 7})
		call(t, "cupy.cuda.MemoryPointer.copy_from_device", third, source, 3)
		equal(t, "after a copy of three bytes", mem, []uint8{7, 7, 20, 21, 22, 7})
		refused(t, "", "cupy.cuda.MemoryPointer.memset", mem, 1.5, 6)
	}
}
