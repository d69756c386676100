// Package broadcast is the arithmetic of shapes: broadcasting, strides, axes,
// index ranges, the composition of views, and the preparation of loops.
//
// Everything here is a pure function on []int; no array data is touched and
// nothing else of the module is imported. A shape lists the lengths of the axes,
// a stride is the distance between neighbours along an axis. Strides and offsets
// count elements, never bytes; they may be negative or zero.
//
// # Conventions
//
// Shapes handed in have passed [CheckShape] (no negative lengths, a rank of at
// most [MaxRank], a size that an int holds), and strides have the length of
// their shape; functions that take shapes from outside ([CheckShape],
// [ResolveShape], [View.BroadcastTo], [View.Reshape]) say so by returning an
// error. Errors are worded as NumPy's and carry no prefix, so that a caller can
// wrap them with its own name.
//
// Functions that take a dst write to dst[:0], grow it when its capacity is too
// small, and return it; with enough capacity they allocate nothing. The dst must
// not overlap the other arguments. The functions named Append append instead.
//
// # Free strides
//
// The stride of an axis of length 1 is never multiplied by anything but 0, and an
// array without elements has no distances at all. Such strides are free: every
// function here ignores them, so two arrays that differ in free strides alone are
// treated the same.
//
// # Loops
//
// A kernel walks several operands in one nest of loops. [Simplify] makes that
// nest small: it sorts the axes so that the innermost one is the nearest in
// memory ([Reorder]) and fuses axes that are one run for every operand
// ([Coalesce]). All three work in place and allocate nothing.
package broadcast
