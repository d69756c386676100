package move

import "unsafe"

// indicesPiece bounds the number of indices that one call processes. The goroutine can be preempted only between calls.
const indicesPiece = 1 << 15

// InRange reports whether all indices lie between lowest and highest, inclusive. Both bounds must be far from the
// limits of int64.
func InRange(indices []int64, lowest, highest int64) bool {
	compared, ok := inRange(indices, lowest, highest)
	if !ok {
		return false
	}
	for _, index := range indices[compared:] {
		if index < lowest || index > highest {
			return false
		}
	}
	return true
}

// Selection maps a row of indices to elements of an array. Index number i with value v refers to the element v·Stride +
// i·Step elements from Array. A negative v counts from the end of the axis.
type Selection struct {
	Array   unsafe.Pointer // the element that the first of Indices refers to if it is 0
	Indices []int64        // all within the axis
	Size    int            // length of the axis
	Stride  int            // along the axis
	Step    int            // from one index to the next
}

// at returns the offset, in elements, of the element that index number i refers to.
func (p *Selection) at(i int, index int64) int {
	return (int(index)+int(index>>63)&p.Size)*p.Stride + i*p.Step
}

func element[T any](array unsafe.Pointer, offset int) *T {
	var t T
	return (*T)(unsafe.Add(array, offset*int(unsafe.Sizeof(t))))
}

// Take copies the elements that p refers to, one after another.
func Take[T any](dst unsafe.Pointer, p Selection) {
	y := unsafe.Slice((*T)(dst), len(p.Indices))
	if p.Stride == 1 && p.Step == 0 {
		var t T
		done := take(dst, p, int(unsafe.Sizeof(t)))
		y = y[done:]
		for i, index := range p.Indices[done:] {
			y[i] = *element[T](p.Array, int(index)+int(index>>63)&p.Size)
		}
		return
	}
	for i, index := range p.Indices {
		y[i] = *element[T](p.Array, p.at(i, index))
	}
}

// Put copies elements, which lie distance elements apart, to the elements that p refers to, in order.
func Put[T any](p Selection, src unsafe.Pointer, distance int) {
	for i, index := range p.Indices {
		*element[T](p.Array, p.at(i, index)) = *element[T](src, i*distance)
	}
}

// Add adds elements, which lie distance elements apart, to the elements that p refers to, in order.
func Add[T float32 | float64 | int32 | int64](p Selection, src unsafe.Pointer, distance int) {
	if p.Stride == 1 && p.Step == 0 && distance == 1 {
		var zero T
		done := 0
		switch any(zero).(type) {
		case float32, float64:
			done = add(p, src, int(unsafe.Sizeof(zero)))
		}
		x := unsafe.Slice((*T)(src), len(p.Indices))[done:]
		for i, index := range p.Indices[done:] {
			*element[T](p.Array, int(index)+int(index>>63)&p.Size) += x[i]
		}
		return
	}
	if p.Stride == 1 && p.Step == 0 && distance == 0 && len(p.Indices) > 0 {
		x := *element[T](src, 0)
		for _, index := range p.Indices {
			*element[T](p.Array, int(index)+int(index>>63)&p.Size) += x
		}
		return
	}
	for i, index := range p.Indices {
		*element[T](p.Array, p.at(i, index)) += *element[T](src, i*distance)
	}
}
