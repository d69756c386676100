package sort

import (
	"slices"
	"unsafe"
)

// A radix sort. Digits have 11 bits, so that the counters fit the first-level cache. radixLen is the number of keys
// from which the radix sort is faster than comparing.
const (
	digitBits = 11
	digits    = 1 << digitBits
	radixLen  = 600
)

// plainSort is the reference for Sort. It sorts by one digit after another, the lowest first.
func plainSort[K Key](x, spare []K) {
	if len(x) < radixLen {
		slices.Sort(x)
		return
	}
	var counts [(64 + digitBits - 1) / digitBits][digits]uint32
	bits := uint(8 * unsafe.Sizeof(x[0]))
	passes := int(bits+digitBits-1) / digitBits
	low := K(1) << (bits - 1) // flips the sign, so that keys are ordered as unsigned numbers
	for _, k := range x {
		u := uint64(k^low) & (^uint64(0) >> (64 - bits))
		for pass := range passes {
			counts[pass][u&(digits-1)]++
			u >>= digitBits
		}
	}
	from, to := x, spare[:len(x)]
	for pass := range passes {
		shift := uint(pass * digitBits)
		count := &counts[pass]
		if accumulate(count, len(x)) {
			continue
		}
		for _, k := range from {
			digit := uint64(k^low) & (^uint64(0) >> (64 - bits)) >> shift & (digits - 1)
			to[count[digit]] = k
			count[digit]++
		}
		from, to = to, from
	}
	if &from[0] != &x[0] {
		copy(x, from)
	}
}

// accumulate replaces each digit's count by the number of smaller digits. It reports whether all keys have the same
// digit.
func accumulate(count *[digits]uint32, n int) bool {
	var total uint32
	for digit, c := range count {
		if int(c) == n {
			return true
		}
		count[digit] = total
		total += c
	}
	return false
}

// SortPairs sorts numbers by their upper 32 bits, stably. The lower bits are indices, in increasing order. spare has
// room for as many numbers. The result is in x or in spare.
func SortPairs(x, spare []int64) []int64 {
	if vectors() {
		Sort(x, spare)
		return x
	}
	if len(x) < radixLen {
		slices.Sort(x)
		return x
	}
	const signBit = 1 << 9 // of the highest digit, which has 10 bits
	flips := [3]int64{2: signBit}
	var counts [3][digits]uint32
	for _, v := range x {
		counts[0][v>>32&(digits-1)]++
		counts[1][v>>43&(digits-1)]++
		counts[2][(v>>54&(digits/2-1))^signBit]++
	}
	spare = spare[:len(x)]
	for pass := range counts {
		count, flip := &counts[pass], flips[pass]
		mask := int64(digits - 1)
		if pass == 2 {
			mask = digits/2 - 1
		}
		shift := uint(32 + pass*digitBits)
		if accumulate(count, len(x)) {
			continue
		}
		for _, v := range x {
			digit := v>>shift&mask ^ flip
			spare[count[digit]] = v
			count[digit]++
		}
		x, spare = spare, x
	}
	return x
}
