//go:build !purego

package limit

import "golang.org/x/sys/cpu"

var wide = cpu.X86.HasAVX512F

// multiplyAdd returns a loop, and the number of operations in one round of it.
func multiplyAdd(double bool) (run func(rounds int), flops float64) {
	switch {
	case !cpu.X86.HasAVX2 || !cpu.X86.HasFMA:
		return nil, 0
	case wide && double:
		return multiplyAddAVX512F64, 2 * 12 * 8
	case wide:
		return multiplyAddAVX512F32, 2 * 12 * 16
	case double:
		return multiplyAddAVX2F64, 2 * 12 * 4
	}
	return multiplyAddAVX2F32, 2 * 12 * 8
}

var triad = func() func(n int, y, a, b *float32) {
	switch {
	case wide:
		return triadAVX512F32
	case cpu.X86.HasAVX2:
		return triadAVX2F32
	}
	return nil
}()
