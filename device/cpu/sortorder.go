package cpu

// radixLen is the number of entries from which counting digits is faster than merging.
const radixLen = 512

// digitBits is the length of a radix sort's digits: their counters fit the first-level cache.
const digitBits = 11

// radixSort sorts by one digit of the keys after the other, the lowest first. Digits that all keys share are passed over.
func radixSort(entries, spare []entry[uint64]) []entry[uint64] {
	var count [1 << digitBits]int
	const mask = 1<<digitBits - 1
	var differing uint64
	for _, e := range entries {
		differing |= e.key ^ entries[0].key
	}
	for shift := uint(0); shift < 64; shift += digitBits {
		if differing>>shift&mask == 0 {
			continue
		}
		clear(count[:])
		for i := range entries {
			count[entries[i].key>>shift&mask]++
		}
		total := 0
		for digit, n := range count {
			count[digit] = total
			total += n
		}
		for _, e := range entries {
			digit := e.key >> shift & mask
			spare[count[digit]] = e
			count[digit]++
		}
		entries, spare = spare, entries
	}
	return entries
}

func less(a, b entry[uint64]) bool { return a.key < b.key }

func lessPair(a, b entry[[2]uint64]) bool {
	return a.key[0] < b.key[0] || a.key[0] == b.key[0] && a.key[1] < b.key[1]
}

// runLen is the length of the runs that insertion sorts before they are merged.
const runLen = 16

// mergeSort sorts runs by insertion and then merges pairs of them.
func mergeSort[E any](entries, spare []E, less func(a, b E) bool) []E {
	n := len(entries)
	for start := 0; start < n; start += runLen {
		insertionSort(entries[start:min(start+runLen, n)], less)
	}
	for length := runLen; length < n; length *= 2 {
		for start := 0; start < n; start += 2 * length {
			middle, end := min(start+length, n), min(start+2*length, n)
			merge(spare[start:end], entries[start:middle], entries[middle:end], less)
		}
		entries, spare = spare, entries
	}
	return entries
}

func insertionSort[E any](entries []E, less func(a, b E) bool) {
	for i := 1; i < len(entries); i++ {
		e := entries[i]
		at := i
		for ; at > 0 && less(e, entries[at-1]); at-- {
			entries[at] = entries[at-1]
		}
		entries[at] = e
	}
}

// merge takes of two equal entries the one of a.
func merge[E any](dst, a, b []E, less func(a, b E) bool) {
	for i := range dst {
		if len(a) > 0 && (len(b) == 0 || !less(b[0], a[0])) {
			dst[i], a = a[0], a[1:]
		} else {
			dst[i], b = b[0], b[1:]
		}
	}
}
