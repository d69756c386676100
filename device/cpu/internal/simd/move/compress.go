package move

import "unsafe"

// CountTrue returns how many bools are true.
func CountTrue(mask []bool) int {
	const length = 8 // of a word, in bytes
	total := 0
	for len(mask) >= length {
		words := min(len(mask)/length, 255) // a byte of the sum must not overflow
		var sum uint64
		for _, w := range unsafe.Slice((*[length]byte)(unsafe.Pointer(unsafe.SliceData(mask))), words) {
			sum += uint64(w[0]) | uint64(w[1])<<8 | uint64(w[2])<<16 | uint64(w[3])<<24 | uint64(w[4])<<32 | uint64(w[5])<<40 | uint64(w[6])<<48 | uint64(w[7])<<56
		}
		const pairs = 0x00ff00ff00ff00ff
		sum = sum&pairs + sum>>8&pairs
		total += int(sum * 0x0001000100010001 >> 48)
		mask = mask[words*length:]
	}
	for _, set := range mask {
		if set {
			total++
		}
	}
	return total
}

// Compress copies the elements whose mask is true to contiguous memory: count elements of size bytes.
func Compress(dst, src unsafe.Pointer, mask []bool, count, size int) {
	elements, kept := compress(dst, src, mask, count, size)
	if kept == count {
		return
	}
	dst, src = unsafe.Add(dst, kept*size), unsafe.Add(src, elements*size)
	mask, count = mask[elements:], count-kept
	switch size {
	case 1:
		plainCompress[uint8](dst, src, mask, count)
	case 2:
		plainCompress[uint16](dst, src, mask, count)
	case 4:
		plainCompress[uint32](dst, src, mask, count)
	case 8:
		plainCompress[uint64](dst, src, mask, count)
	case 16:
		plainCompress[[2]uint64](dst, src, mask, count)
	}
}

// plainCompress stores every element, and advances only if the element is kept: no branch depends on the mask.
func plainCompress[T any](dst, src unsafe.Pointer, mask []bool, count int) {
	y, x := unsafe.Slice((*T)(dst), count), unsafe.Slice((*T)(src), len(mask))
	at := 0
	for i, set := range mask {
		if at >= len(y) {
			return
		}
		y[at] = x[i]
		step := 0
		if set {
			step = 1
		}
		at += step
	}
}

// Positions stores the indices at which a mask is true, counted from first on. dst has room for exactly these.
func Positions(dst []int64, mask []bool, first int) {
	looked, kept := positions(dst, mask, first)
	plainPositions(dst[kept:], mask[looked:], first+looked)
}

// plainPositions is plainCompress of the indices, for eight at a time.
func plainPositions(dst []int64, mask []bool, first int) {
	at := 0
	for len(mask) >= 8 && at+8 <= len(dst) { // eight at a time; no branch depends on single elements
		group := (*[8]int64)(dst[at:])
		eight := (*[8]bool)(mask)
		if *(*uint64)(unsafe.Pointer(eight)) != 0 {
			kept := 0
			for i, set := range eight {
				group[kept&7] = int64(first + i)
				step := 0
				if set {
					step = 1
				}
				kept += step
			}
			at += kept
		}
		mask, first = mask[8:], first+8
	}
	for i, set := range mask {
		if at >= len(dst) {
			return
		}
		dst[at] = int64(first + i)
		step := 0
		if set {
			step = 1
		}
		at += step
	}
}
