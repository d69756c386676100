package isa

import "unsafe"

// Form is what the routines of a kernel differ in: the level of instructions, and whether the elements are of 64 bits.
type Form struct {
	Level  Level
	Double bool
}

// FormOf is the form that kernels of T use now.
func FormOf[T ~float32 | ~float64]() Form {
	var v T
	return Form{current, unsafe.Sizeof(v) == 8}
}

// Singles returns a pointer to T as one to float32, which T is.
func Singles[T ~float32 | ~float64](p *T) *float32 { return (*float32)(unsafe.Pointer(p)) }

// Doubles returns a pointer to T as one to float64, which T is.
func Doubles[T ~float32 | ~float64](p *T) *float64 { return (*float64)(unsafe.Pointer(p)) }
