package cudaops

import "sync"

// counters are numbers in device memory that are 0 between kernels: kernels that count there reset them.
type counters struct {
	sync.Mutex
	room    int
	scratch scratch
}

const counterSize = 4

// zeros returns the address of n counters. The lock is held until the kernel that uses them is enqueued, because
// growing reallocates the memory.
func (c *counters) zeros(d *Device, fn string, n int) uint64 {
	if n > c.room {
		if c.room > 0 {
			c.scratch.free()
			c.room = 0
		}
		room := max(1024, n)
		c.scratch = d.scratch(fn, room*counterSize)
		d.zero(fn, c.scratch.address, room*counterSize)
		c.room = room
	}
	return c.scratch.address
}
