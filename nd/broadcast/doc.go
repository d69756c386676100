// Package broadcast is the arithmetic of shapes: broadcasting, strides, axes, index ranges, the composition of views,
// and the preparation of loops.
//
// Everything here is a pure function on []int. The package touches no array data and imports nothing else of the
// module. A shape lists the lengths of the axes; a stride is the distance between neighbours along an axis. Strides and
// offsets count elements, never bytes; they may be negative or zero.
//
// # Conventions
//
// Shapes that are passed in have passed [CheckShape]: no length is negative, the rank is at most [MaxRank], and an int
// holds the size. Strides have the length of their shape. Functions that take unchecked shapes ([CheckShape],
// [ResolveShape], [View.BroadcastTo], [View.Reshape]) return an error. Errors are worded as NumPy's and carry no
// prefix, so that a caller can wrap them with its own name.
//
// Functions that take a dst write to dst[:0], grow it if its capacity is too small, and return it; with enough capacity
// they allocate nothing. The dst must not overlap the other arguments. The functions named Append append instead.
//
// # Free strides
//
// The stride of an axis of length 1 is only ever multiplied by 0, and the strides of an empty array are never used.
// Such strides are free: every function here ignores them, so two arrays that differ only in free strides are treated
// the same.
//
// # Loops
//
// A kernel walks several operands in one nest of loops. [Simplify] makes that nest small: it sorts the axes so that the
// innermost one is the nearest in memory ([Reorder]), and it fuses axes that form one run for every operand
// ([Coalesce]). All three work in place and allocate nothing.
package broadcast
