// Package text writes arrays and scalars as NumPy 2 prints them: str, repr, array2string and the scalar forms.
//
// It is a pure formatter: it knows element types and shapes, not arrays. Printing takes two steps, so that an array in
// device memory need not be copied whole. [Options.Layout] tells which elements are shown; the caller gathers these into
// [Values], row-major, and hands them to [Options.Array], [Options.Str] or [Options.Repr].
//
// The rules are NumPy 2.4's. One thing has no counterpart there: bfloat16, which is treated as one more float of its own
// width (its shortest digits are those that are unique among bfloat16 numbers).
package text
