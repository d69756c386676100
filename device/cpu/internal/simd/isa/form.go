package isa

import "unsafe"

// Form tells the routines of a kernel apart: the level of instructions, and whether the elements are of 64 bits.
type Form struct {
	Level  Level
	Double bool
}

// FormOf is the form that kernels of T use now.
func FormOf[T ~float32 | ~float64]() Form {
	var v T
	return Form{current, unsafe.Sizeof(v) == 8}
}

// Singles is a pointer to T, which is float32, as routines of that take it.
func Singles[T ~float32 | ~float64](p *T) *float32 { return (*float32)(unsafe.Pointer(p)) }

// Doubles is a pointer to T, which is float64, as routines of that take it.
func Doubles[T ~float32 | ~float64](p *T) *float64 { return (*float64)(unsafe.Pointer(p)) }
