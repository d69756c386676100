package device

import "sync/atomic"

// Kept holds what a device makes of an operand that later launches may read again unchanged, such as weights in the order in which
// its kernel reads them. It belongs to the operand's block, and is dropped with it.
type Kept struct{ last atomic.Pointer[kept] }

type kept struct {
	version uint32
	value   any
}

// Load returns what was stored last, or nil if that was for another version of the block's elements.
func (k *Kept) Load(version uint32) any {
	if last := k.last.Load(); last != nil && last.version == version {
		return last.value
	}
	return nil
}

// Store stores what a device has made of a version of the elements.
func (k *Kept) Store(version uint32, value any) { k.last.Store(&kept{version, value}) }
