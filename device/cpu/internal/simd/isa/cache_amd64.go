//go:build !purego

package isa

func cpuid(leaf, subleaf uint32) (a, b, c, d uint32)

// detectCaches returns the sizes of the second-level cache and of the largest cache that the processor describes. Intel
// describes caches in leaf 4, AMD in leaf 0x8000001d, in the same format.
func detectCaches() cacheSizes {
	var found cacheSizes
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
			size := ways * partitions * line * (int(c) + 1)
			if found.last = max(found.last, size); a>>5&7 == 2 {
				found.near = size
			}
		}
	}
	if found.last == 0 {
		found.last = usualCaches.last
	}
	if found.near == 0 {
		found.near = usualCaches.near
	}
	return found
}

// detectAMD reports whether AMD made the processor.
func detectAMD() bool {
	_, b, c, d := cpuid(0, 0)
	return b == 0x68747541 && d == 0x69746e65 && c == 0x444d4163 // AuthenticAMD
}
