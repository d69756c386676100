package direct

import "unsafe"

// Kernels are the routines for one type of elements at one level of instructions. Pointers are to such elements, and all
// numbers count elements. Each call is short enough that its caller can be preempted between two.
type Kernels struct {
	Size    int // of an element, in bytes
	Lanes   int // elements of a vector
	Places  int // of a tile with filters in lanes
	Vectors int // of the widest such tile
	Filters int // of the largest tile with places in lanes

	width     []int // in vectors, of those tiles, by their filters
	lanes     []func(k int, x *byte, from, off *int, w, c *byte, to *int, add int)
	rows      []func(k int, x *byte, off *int, w, c *byte, stride, add int)
	transpose func(rows, columns int, dst *byte, across int, src *byte, along int)
}

// MostTerms bounds the sums that one call makes.
const MostTerms = 1024

// Width returns how many places a tile with places in lanes has, by the number of its filters.
func (s *Kernels) Width(filters int) int { return s.width[filters-1] * s.Lanes }

// WithFilters makes a tile with filters in lanes of that many vectors: for each i below Places and each j below
// vectors·Lanes
//
//	c[to[i]+j] = Σ x[from[i]+off[k]]·w[k·vectors·Lanes+j]
//
// or with add that much more. from and to have Places elements, off at most MostTerms.
//
//go:noinline
func (s *Kernels) WithFilters(vectors int, x unsafe.Pointer, from, off []int, w, c unsafe.Pointer, to []int, add bool) {
	_, _ = from[s.Places-1], to[s.Places-1]
	s.lanes[vectors-1](len(off), (*byte)(x), unsafe.SliceData(from), unsafe.SliceData(off), (*byte)(w), (*byte)(c), unsafe.SliceData(to), flag(add))
}

// WithPlaces makes a tile with places in lanes: for each i below filters and each j below Width(filters)
//
//	c[i·stride+j] = Σ w[k·filters+i]·x[off[k]+j]
//
// or with add that much more. off has at most MostTerms elements.
//
//go:noinline
func (s *Kernels) WithPlaces(filters int, x unsafe.Pointer, off []int, w, c unsafe.Pointer, stride int, add bool) {
	s.rows[filters-1](len(off), (*byte)(x), unsafe.SliceData(off), (*byte)(w), (*byte)(c), stride, flag(add))
}

// Transpose sets dst[j·across+i] = src[i·along+j] for each i below rows and each j below columns.
func (s *Kernels) Transpose(rows, columns int, dst unsafe.Pointer, across int, src unsafe.Pointer, along int) {
	const most = 1 << 14
	for step := max(1, most/max(1, rows)); columns > 0; columns -= step {
		s.transposePiece(rows, min(step, columns), dst, across, src, along)
		dst, src = unsafe.Add(dst, step*across*s.Size), unsafe.Add(src, step*s.Size)
	}
}

//go:noinline
func (s *Kernels) transposePiece(rows, columns int, dst unsafe.Pointer, across int, src unsafe.Pointer, along int) {
	s.transpose(rows, columns, (*byte)(dst), across, (*byte)(src), along)
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}
