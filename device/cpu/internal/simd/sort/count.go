package sort

// The least number of integers that are counted, the most values that they may have, and how many of these have several counters each.
const (
	leastCounted = 1 << 10
	mostValues   = 1 << 16
	mostApart    = 1 << 12
)

// Count sorts integers of from into x by counting, if they lie so close together that there are several of each value. It returns false
// if they do not. spare has room for as many numbers.
func Count[N Number](x, spare, from []N) bool {
	switch x := any(x).(type) {
	case []int32:
		return count(x, any(spare).([]int32), any(from).([]int32))
	case []int64:
		return count(x, any(spare).([]int64), any(from).([]int64))
	}
	return false
}

func count[K Key](x, spare, from []K) bool {
	const often, look = 4, 256 // how often a value occurs on average, and how many numbers are looked at together
	n := len(from)
	if n < leastCounted || n > 1<<30 {
		return false
	}
	low, high, values := from[0], from[0], 0
	for done := 0; done < n; done += look {
		l, h := bounds(from[done:min(done+look, n)])
		low, high = min(low, l), max(high, h)
		distance := uint64(int64(high)) - uint64(int64(low))
		if distance >= uint64(min(n/often, mostValues)) {
			return false
		}
		values = int(distance) + 1
	}
	// Few values have four counters each, in turns, so that equal numbers do not wait for each other.
	apart := values
	if values > mostApart {
		apart = 0
	}
	counts := spare[:3*apart+values]
	clear(counts)
	c0, c1, c2, c3 := counts[:values], counts[apart:][:values], counts[2*apart:][:values], counts[3*apart:][:values]
	rest := from
	for ; len(rest) >= 4; rest = rest[4:] {
		c0[rest[0]-low]++
		c1[rest[1]-low]++
		c2[rest[2]-low]++
		c3[rest[3]-low]++
	}
	for _, v := range rest {
		c0[v-low]++
	}
	at := K(0)
	for i := range c0 {
		end := at + c0[i]
		if apart > 0 {
			end += c1[i] + c2[i] + c3[i]
		}
		run := x[at:end]
		for k := range run {
			run[k] = low + K(i)
		}
		at = end
	}
	return true
}
