package broadcast

// Extent returns the lowest and the highest offset that an array touches, relative to its first element. An empty array
// gives 0 and -1.
func Extent(shape, strides []int) (lo, hi int) {
	if isEmpty(shape) {
		return 0, -1
	}
	for axis, d := range shape {
		reach := (d - 1) * strides[axis]
		if reach < 0 {
			lo += reach
		} else {
			hi += reach
		}
	}
	return lo, hi
}

// SameLayout reports whether two views have the same shape and the same offset for each element. Free strides do not
// matter.
func SameLayout(offA int, shapeA, stridesA []int, offB int, shapeB, stridesB []int) bool {
	if !Equal(shapeA, shapeB) {
		return false
	}
	if isEmpty(shapeA) {
		return true
	}
	for axis, d := range shapeA {
		if d != 1 && stridesA[axis] != stridesB[axis] {
			return false
		}
	}
	return offA == offB
}

// MayOverlap reports whether two views of one block may have an element in common. False is exact. True is exact too,
// unless the strides are so entangled that the search takes more than a few steps. Disjoint slices of an array,
// interleaved slices and blocks of a matrix are told apart.
func MayOverlap(offA int, shapeA, stridesA []int, offB int, shapeB, stridesB []int) bool {
	if isEmpty(shapeA) || isEmpty(shapeB) {
		return false
	}
	loA, hiA := Extent(shapeA, stridesA)
	loB, hiB := Extent(shapeB, stridesB)
	if offA+hiA < offB+loB || offB+hiB < offA+loA {
		return false
	}
	// A common element lies at lo + Σ s·i = hi - Σ t·j, where lo is A's lowest offset
	// and hi B's highest, over the magnitudes s, t of the strides and with
	// 0 ≤ i < length: so hi - lo must be a sum of steps of both views.
	var steps stepSum
	steps.add(shapeA, stridesA)
	steps.add(shapeB, stridesB)
	budget := searchBudget
	steps.prepare()
	return steps.reaches(int64(offB)+int64(hiB)-int64(offA)-int64(loA), 0, &budget)
}

// MaySelfOverlap reports whether two indices of an array may mean the same element, so that writing to it is ambiguous.
// If it returns false, every element is reached once.
func MaySelfOverlap(shape, strides []int) bool {
	if isEmpty(shape) {
		return false
	}
	var steps stepSum
	steps.add(shape, strides)
	reach := int64(0)
	for i := steps.count - 1; i >= 0; i-- {
		if steps.size[i] <= reach {
			return true
		}
		reach += steps.size[i] * steps.times[i]
	}
	return false
}

// searchBudget bounds the steps of the search for a common element. Nested strides need few steps: only two counts per
// axis are candidates.
const searchBudget = 256

// stepSum describes the sums Σ size[i]·n[i] with 0 ≤ n[i] ≤ times[i]; sizes are not negative and decrease. It counts in
// 64 bits, because two extents together may exceed an int of 32 bits.
type stepSum struct {
	size, times [2 * MaxRank]int64
	// The largest sum of the steps from i on, and the greatest common divisor of their sizes.
	reach, divisor [2*MaxRank + 1]int64
	count          int
}

// add inserts the axes of a view, the largest strides first.
func (s *stepSum) add(shape, strides []int) {
	for axis, d := range shape {
		if d == 1 {
			continue
		}
		size := int64(magnitude(strides[axis]))
		at := s.count
		for ; at > 0 && s.size[at-1] < size; at-- {
			s.size[at], s.times[at] = s.size[at-1], s.times[at-1]
		}
		s.size[at], s.times[at] = size, int64(d-1)
		s.count++
	}
}

// prepare merges equal sizes, which behave as one, drops the zeros, and fills in
// reach and divisor.
func (s *stepSum) prepare() {
	merged := 0
	for i := 0; i < s.count && s.size[i] > 0; i++ {
		if merged > 0 && s.size[merged-1] == s.size[i] {
			s.times[merged-1] += s.times[i]
			continue
		}
		s.size[merged], s.times[merged] = s.size[i], s.times[i]
		merged++
	}
	s.count = merged
	s.reach[merged], s.divisor[merged] = 0, 0
	for i := merged - 1; i >= 0; i-- {
		s.reach[i] = s.reach[i+1] + s.size[i]*s.times[i]
		s.divisor[i] = gcd(s.size[i], s.divisor[i+1])
	}
}

// reaches reports whether the steps from at on can add up to total. It returns true if the budget is spent.
func (s *stepSum) reaches(total int64, at int, budget *int) bool {
	if total == 0 {
		return true
	}
	*budget--
	if *budget < 0 {
		return true
	}
	if total < 0 || total > s.reach[at] || total%s.divisor[at] != 0 {
		return false
	}
	// The later steps cover at most reach[at+1], so few counts are candidates.
	size := s.size[at]
	fewest := max(0, (total-s.reach[at+1]+size-1)/size)
	most := min(s.times[at], total/size)
	for n := most; n >= fewest; n-- {
		if s.reaches(total-n*size, at+1, budget) {
			return true
		}
	}
	return false
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
