//go:build !purego

package order

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/isa"
)

// vectors reports whether there are routines for keys.
func vectors() bool { return isa.Current() == isa.AVX512 }

// networkLen is how many keys fit the registers.
func networkLen[K Key]() int { return 16 * 64 / int(unsafe.Sizeof(K(0))) }

//go:noinline
func partitionBlocks[K Key](x []K, unread, room *[2]int, pivot K) {
	if unsafe.Sizeof(pivot) == 4 {
		p := int32(pivot)
		partitionAVX512I32(pieceBlocks, (*int32)(unsafe.Pointer(&x[0])), unread, room, &p)
	} else {
		p := int64(pivot)
		partitionAVX512I64(pieceBlocks, (*int64)(unsafe.Pointer(&x[0])), unread, room, &p)
	}
}

//go:noinline
func partitionHeld[K Key](held, x []K, room *[2]int, pivot K) {
	if unsafe.Sizeof(pivot) == 4 {
		p := int32(pivot)
		partitionHeldAVX512I32(len(held), (*int32)(unsafe.Pointer(&held[0])), (*int32)(unsafe.Pointer(&x[0])), room, &p)
	} else {
		p := int64(pivot)
		partitionHeldAVX512I64(len(held), (*int64)(unsafe.Pointer(&held[0])), (*int64)(unsafe.Pointer(&x[0])), room, &p)
	}
}

// network sorts keys that fit the registers, of which there is one at least.
//
//go:noinline
func network[K Key](x []K) {
	n, p := len(x), unsafe.Pointer(&x[0])
	if unsafe.Sizeof(x[0]) == 8 {
		switch x := (*int64)(p); {
		case n <= 16:
			sort16AVX512I64(n, x)
		case n <= 32:
			sort32AVX512I64(n, x)
		case n <= 64:
			sort64AVX512I64(n, x)
		default:
			sort128AVX512I64(n, x)
		}
		return
	}
	switch x := (*int32)(p); {
	case n <= 32:
		sort32AVX512I32(n, x)
	case n <= 64:
		sort64AVX512I32(n, x)
	case n <= 128:
		sort128AVX512I32(n, x)
	default:
		sort256AVX512I32(n, x)
	}
}
