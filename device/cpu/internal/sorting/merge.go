package sorting

// runLen is the length of the runs that insertion sorts before they are merged.
const runLen = 16

// mergeSort sorts runs by insertion and then merges pairs of runs, into one of two slices.
func mergeSort(entries, spare []entry) []entry {
	n := len(entries)
	for start := 0; start < n; start += runLen {
		insertionSort(entries[start:min(start+runLen, n)])
	}
	for length := runLen; length < n; length *= 2 {
		for start := 0; start < n; start += 2 * length {
			middle, end := min(start+length, n), min(start+2*length, n)
			merge(spare[start:end], entries[start:middle], entries[middle:end])
		}
		entries, spare = spare, entries
	}
	return entries
}

func insertionSort(entries []entry) {
	for i := 1; i < len(entries); i++ {
		e := entries[i]
		at := i
		for ; at > 0 && e.less(entries[at-1]); at-- {
			entries[at] = entries[at-1]
		}
		entries[at] = e
	}
}

// merge takes the entry of a if two entries are equal.
func merge(dst, a, b []entry) {
	for i := range dst {
		if len(a) > 0 && (len(b) == 0 || !b[0].less(a[0])) {
			dst[i], a = a[0], a[1:]
		} else {
			dst[i], b = b[0], b[1:]
		}
	}
}
