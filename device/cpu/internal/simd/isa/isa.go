// Package isa says which vector instructions the kernels of device/cpu may use. The choice is made once, at the start;
// tests narrow it to run the same kernels in every form.
package isa

// Level is a set of instructions. Each contains those before it.
type Level int

// The levels.
const (
	Generic Level = iota // plain Go alone
	AVX2                 // AVX2, FMA and F16C
	AVX512               // AVX-512 F, BW, CD, DQ and VL
)

// String returns the level's name.
func (l Level) String() string { return [...]string{"generic", "avx2", "avx512"}[l] }

// Best is the highest level that the processor and the build have; Generic under the tag purego.
var Best = detect()

var current = Best

// Current is the level that kernels use now.
func Current() Level { return current }

// Use makes kernels use a level, at most Best, and returns the one so far. It is for tests, which must not run kernels
// at the same time.
func Use(l Level) (old Level) {
	old, current = current, min(l, Best)
	return old
}
