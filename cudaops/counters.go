package cudaops

import "sync"

// counters are numbers in the device's memory that are 0 between kernels: those that count there set them back.
type counters struct {
	sync.Mutex
	room    int
	scratch scratch
}

const counterSize = 4

// zeros returns the address of so many counters. It is held until the kernel that uses them is enqueued: more room is other memory.
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
