// Package text writes arrays and scalars as NumPy 2 prints them: str, repr, array2string and the scalar forms.
//
// It is a pure formatter: it knows element types and shapes, not arrays. Printing takes two steps, so that an array in
// device memory need not be copied completely. [Options.Layout] says which elements are shown; the caller gathers these
// into [Values], row-major, and passes them to [Options.Array], [Options.Str] or [Options.Repr].
//
// The rules are those of NumPy 2.4. Only bfloat16 has no counterpart there. It is treated as another float with its own
// width (its shortest digits are those that are unique among bfloat16 numbers).
package text
