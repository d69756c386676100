package isa

import "unsafe"

// Form selects among the routines of a kernel: by instruction level and by whether elements have 64 bits.
type Form struct {
	Level  Level
	Double bool
}

// FormOf returns the form that kernels of T use now.
func FormOf[T ~float32 | ~float64]() Form {
	var v T
	return Form{current, unsafe.Sizeof(v) == 8}
}

// Singles converts p to a pointer to float32. T must be float32.
func Singles[T ~float32 | ~float64](p *T) *float32 { return (*float32)(unsafe.Pointer(p)) }

// Doubles converts p to a pointer to float64. T must be float64.
func Doubles[T ~float32 | ~float64](p *T) *float64 { return (*float64)(unsafe.Pointer(p)) }
