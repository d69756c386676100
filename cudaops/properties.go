package cudaops

import (
	"github.com/ndgrad/ndgrad/cudaops/internal/drv"
	"github.com/ndgrad/ndgrad/device"
)

// ComputeCapability returns the version of the device's instructions, such as 9, 0. cupy.cuda.Device.compute_capability.
func (d *Device) ComputeCapability() (major, minor int, err error) {
	if major, err = drv.DeviceAttribute(d.ordinal, drv.ComputeCapabilityMajor); err != nil {
		return 0, 0, err
	}
	minor, err = drv.DeviceAttribute(d.ordinal, drv.ComputeCapabilityMinor)
	return major, minor, err
}

// Model returns what the driver calls the device.
func (d *Device) Model() (string, error) { return drv.DeviceName(d.ordinal) }

// MemoryInfo returns how many bytes of the device's memory no program uses, and how many it has.
func (d *Device) MemoryInfo() (free, total int64, err error) { return d.context.MemInfo() }

// MemoryPool keeps device memory that arrays do not need any more for those to come. cupy.cuda.MemoryPool.
type MemoryPool struct{ pool *pool }

// MemoryPool returns the device's pool, which all arrays of the device have their memory from.
func (d *Device) MemoryPool() MemoryPool { return MemoryPool{&d.memory} }

// Used returns how many bytes arrays and kernels have, counting each block as large as it is. An array that was dropped counts
// until the collector has noticed.
func (m MemoryPool) Used() int {
	m.pool.mu.Lock()
	defer m.pool.mu.Unlock()
	return m.pool.lent
}

// Cached returns how many bytes wait for arrays to come.
func (m MemoryPool) Cached() int {
	m.pool.mu.Lock()
	defer m.pool.mu.Unlock()
	return m.pool.reserved - m.pool.lent
}

// FreeBlocks returns how many blocks wait for arrays to come. cupy.cuda.MemoryPool.n_free_blocks.
func (m MemoryPool) FreeBlocks() int { return m.pool.store.Idle() }

// FreeAll gives the blocks that wait back to the driver, which waits for the device. cupy.cuda.MemoryPool.free_all_blocks,
// cupy.cuda.MemoryPool.free_all_free.
func (m MemoryPool) FreeAll() { m.pool.store.DiscardIdle() }

// SetLimit bounds Used and Cached together, in bytes; 0 is no limit. What goes beyond it is out of memory.
func (m MemoryPool) SetLimit(bytes int) {
	m.pool.mu.Lock()
	defer m.pool.mu.Unlock()
	m.pool.limit = bytes
}

// Alloc returns a block of the pool, of any content, which the device's Free gives back. cupy.cuda.MemoryPool.malloc.
func (m MemoryPool) Alloc(bytes int) device.Memory { return m.pool.device.Alloc(bytes) }

// CublasHandle returns a handle of cuBLAS for calls of the user's own, whose work is done in the compute stream. There is one for a
// device, which is made at the first call. cupy.cuda.Device.cublas_handle.
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
