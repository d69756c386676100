package conv

import (
	"sync/atomic"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
)

// keptWeights are weights that a second launch reads unchanged, as it does in a network that is not trained: they are packed once,
// and kept beside the block. Packed weights are the same numbers in another order, so that results do not depend on them; only
// those of winograd are transformed.
type keptWeights struct {
	level  isa.Level
	weight tensor
	finite atomic.Int32 // 1 if the sum of the elements is finite, -1 if not, 0 if nobody knows
	packed [arrangements]atomic.Pointer[[]uint64]
}

// arrangements of packed weights: one for each algorithm that packs them.
const (
	forChannelLanes = iota
	forPixelLanes
	forTapPasses
	forWinograd
	arrangements
)

// findKept finds what is kept of the weights. The first launch leaves a note only, unless it may be computed by Winograd's algorithm:
// for that, windows must be kept.
func (q *convolution) findKept(l *device.Launch) {
	if l.Kept == nil || l.Part != device.PartOutput || !q.hasKernels() {
		return
	}
	k, _ := l.Kept.Load(l.Version).(*keptWeights)
	isOurs := k != nil && k.level == isa.Current() && k.weight == q.w
	if k == nil || l.Fast && !isOurs { // of another view of the block: what is kept must not decide how a launch computes
		k = &keptWeights{level: isa.Current(), weight: q.w}
		l.Kept.Store(l.Version, k)
	}
	if isOurs || l.Fast {
		q.kept = k
	}
}

// packed returns packed weights of the given number of bytes, which pack writes, and scratch memory to recycle unless they are kept.
func (q *convolution) packed(arrangement, bytes int, pack func(at unsafe.Pointer)) (unsafe.Pointer, *memory.Scratch) {
	if q.kept == nil {
		space := memory.TakeScratch(bytes)
		pack(space.At(0))
		return space.At(0), space
	}
	words := q.kept.packed[arrangement].Load()
	if words == nil {
		own := make([]uint64, max(memory.WordsFor(bytes), 1))
		pack(unsafe.Pointer(unsafe.SliceData(own)))
		words = &own
		q.kept.packed[arrangement].Store(words)
	}
	return unsafe.Pointer(unsafe.SliceData(*words)), nil
}
