package cudaops

import (
	"github.com/ndgrad/ndgrad/cudaops/internal/drv"
	"github.com/ndgrad/ndgrad/device"
)

// ComputeCapability returns the version of the device's instruction set, such as 9, 0.
// CuPy: cuda.Device.compute_capability.
func (d *Device) ComputeCapability() (major, minor int, err error) {
	if major, err = drv.DeviceAttribute(d.ordinal, drv.ComputeCapabilityMajor); err != nil {
		return 0, 0, err
	}
	minor, err = drv.DeviceAttribute(d.ordinal, drv.ComputeCapabilityMinor)
	return major, minor, err
}

// Model returns the driver's name for the device.
func (d *Device) Model() (string, error) { return drv.DeviceName(d.ordinal) }

// MemoryInfo returns how many bytes of the device's memory are free, with all programs counted, and how many it has in
// total.
func (d *Device) MemoryInfo() (free, total int64, err error) { return d.context.MemInfo() }

// MemoryPool caches device memory that arrays no longer need, for later arrays.
// CuPy: cuda.MemoryPool.
type MemoryPool struct{ pool *pool }

// MemoryPool returns the device's pool, from which all arrays of the device are allocated.
func (d *Device) MemoryPool() MemoryPool { return MemoryPool{&d.memory} }

// Used returns the number of bytes in blocks that arrays and kernels use; each block counts with its full size. The
// block of a dropped array counts until the garbage collector has noticed.
func (m MemoryPool) Used() int {
	m.pool.mu.Lock()
	defer m.pool.mu.Unlock()
	return m.pool.used
}

// Cached returns the number of bytes that the pool keeps for later arrays.
func (m MemoryPool) Cached() int {
	m.pool.mu.Lock()
	defer m.pool.mu.Unlock()
	return m.pool.reserved - m.pool.used
}

// FreeBlocks returns the number of blocks that the pool keeps for later arrays.
// CuPy: cuda.MemoryPool.n_free_blocks.
func (m MemoryPool) FreeBlocks() int { return m.pool.store.Idle() }

// FreeAll releases the cached blocks to the driver, which waits for the device.
// CuPy: cuda.MemoryPool.free_all_blocks, cuda.MemoryPool.free_all_free.
func (m MemoryPool) FreeAll() { m.pool.store.DiscardIdle() }

// SetLimit bounds the sum of Used and Cached, in bytes; 0 is no limit. An allocation beyond the limit is an
// out-of-memory error.
func (m MemoryPool) SetLimit(bytes int) {
	m.pool.mu.Lock()
	defer m.pool.mu.Unlock()
	m.pool.limit = bytes
}

// Alloc allocates a block from the pool, with undefined content. The device's Free returns it.
// CuPy: cuda.MemoryPool.malloc.
func (m MemoryPool) Alloc(bytes int) device.Memory { return m.pool.device.Alloc(bytes) }

// CublasHandle returns a cuBLAS handle for the user's own calls, whose work runs in the compute stream. Each device has
// one, which is created at the first call.
// CuPy: cuda.Device.cublas_handle.
func (d *Device) CublasHandle() (uintptr, error) {
	d.opened.Lock()
	defer d.opened.Unlock()
	if d.blas == nil {
		b, err := d.context.NewBLAS(d.stream)
		if err != nil {
			return 0, err
		}
		d.blas = b
	}
	return d.blas.Handle(), nil
}
