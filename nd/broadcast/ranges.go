package broadcast

import "errors"

// Range is a slice of one axis resolved against its length n: the indices Start, Start+Step, … before Stop. Step is not
// 0; Start and Stop lie in 0…n, and in -1…n-1 if Step is negative.
type Range struct{ Start, Stop, Step int }

// Count returns the number of indices.
func (r Range) Count() int {
	// Unsigned, because an int cannot hold the negation of the lowest int.
	switch {
	case r.Step > 0 && r.Start < r.Stop:
		return int((uint(r.Stop)-uint(r.Start)-1)/uint(r.Step)) + 1
	case r.Step < 0 && r.Stop < r.Start:
		return int((uint(r.Start)-uint(r.Stop)-1)/-uint(r.Step)) + 1
	default:
		return 0
	}
}

// Indices resolves start:stop:step against an axis of length n as Python does: nil stands for an omitted number,
// negative indices count from the end, and indices out of range are clamped. A step of 0 is refused.
func Indices(start, stop, step *int, n int) (Range, error) {
	r := Range{Start: 0, Stop: n, Step: 1}
	if step != nil {
		r.Step = *step
	}
	if r.Step == 0 {
		return Range{}, errors.New("a range has a step of 0")
	}
	lowest, highest := 0, n
	if r.Step < 0 {
		lowest, highest = -1, n-1
		r.Start, r.Stop = highest, lowest
	}
	if start != nil {
		r.Start = position(*start, n, lowest, highest)
	}
	if stop != nil {
		r.Stop = position(*stop, n, lowest, highest)
	}
	return r, nil
}

// position counts a negative index from the end and clamps the result.
func position(i, n, lowest, highest int) int {
	if i < 0 {
		i += n
		if i < 0 {
			return lowest
		}
	}
	return min(i, highest)
}

// ResolveRange resolves start:stop:step as [Indices] does and returns the first index, the number of indices and the
// distance between them. If the range is empty, first is 0.
func ResolveRange(start, stop, step *int, n int) (first, count, by int, err error) {
	r, err := Indices(start, stop, step, n)
	if err != nil {
		return 0, 0, 0, err
	}
	count = r.Count()
	if count == 0 {
		return 0, 0, r.Step, nil
	}
	return r.Start, count, r.Step, nil
}
