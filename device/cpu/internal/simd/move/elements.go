package move

import "unsafe"

// indicesPiece is how many indices one call looks at: its caller can be preempted between two.
const indicesPiece = 1 << 15

// InRange reports whether all indices lie from lowest to highest, which are far from the ends of int64.
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

// Places says which elements of an array a row of indices means. Index number i means the element that is as many strides along
// the axis as its value says (from the axis's end where it is negative), and i·Step elements further.
type Places struct {
	Array   unsafe.Pointer // the element of index 0, for the first one of Indices
	Indices []int64        // all within the axis
	Size    int            // of the axis
	Stride  int            // along the axis
	Step    int            // from one index to the next
}

// at returns the place of an index.
func (p *Places) at(i int, index int64) int {
	return (int(index)+int(index>>63)&p.Size)*p.Stride + i*p.Step
}

func element[T any](array unsafe.Pointer, place int) *T {
	var t T
	return (*T)(unsafe.Add(array, place*int(unsafe.Sizeof(t))))
}

// Take copies the elements at places of an array, one after the other.
func Take[T any](dst unsafe.Pointer, p Places) {
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

// Put copies elements, some distance from one to the next, to places of an array, in order.
func Put[T any](p Places, src unsafe.Pointer, distance int) {
	for i, index := range p.Indices {
		*element[T](p.Array, p.at(i, index)) = *element[T](src, i*distance)
	}
}

// Add adds elements, some distance from one to the next, to those at places of an array, in order.
func Add[T float32 | float64 | int32 | int64](p Places, src unsafe.Pointer, distance int) {
	if p.Stride == 1 && p.Step == 0 && distance == 1 {
		x := unsafe.Slice((*T)(src), len(p.Indices))
		for i, index := range p.Indices {
			*element[T](p.Array, int(index)+int(index>>63)&p.Size) += x[i]
		}
		return
	}
	for i, index := range p.Indices {
		*element[T](p.Array, p.at(i, index)) += *element[T](src, i*distance)
	}
}
