//go:build !purego

package isa

func cpuid(leaf, subleaf uint32) (a, b, c, d uint32)

// detectLastCache returns the size of the largest cache that the processor describes. Intel describes caches in leaf 4,
// AMD in leaf 0x8000001d, in the same format.
func detectLastCache() int {
	size := 0
	for _, leaf := range []uint32{4, 0x8000001d} {
		if largest, _, _, _ := cpuid(leaf&0x80000000, 0); largest < leaf {
			continue
		}
		for k := range uint32(8) {
			a, b, c, _ := cpuid(leaf, k)
			if a&31 == 0 {
				break
			}
			ways, partitions, line := int(b>>22)+1, int(b>>12&1023)+1, int(b&4095)+1
			size = max(size, ways*partitions*line*(int(c)+1))
		}
	}
	if size == 0 {
		return usualLastCache
	}
	return size
}
