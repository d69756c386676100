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

// hasVNNI says whether the processor and the build have AVX512_VNNI.
var hasVNNI = detectVNNI()

var vnni = hasVNNI

// VNNI reports whether kernels use AVX512_VNNI now: instructions that add products of small integers up. It goes beyond the level
// AVX512.
func VNNI() bool { return vnni && current == AVX512 }

// Narrow makes kernels use one of the sets of instructions that the processor has, by any number, until restore is called. It is for
// tests, as Use is.
func Narrow(number uint8) (restore func()) {
	sets := int(current) + 1
	if VNNI() {
		sets++
	}
	set := int(number) % sets
	level, had := Use(min(Level(set), current)), UseVNNI(set > int(AVX512))
	return func() {
		Use(level)
		UseVNNI(had)
	}
}

// UseVNNI makes kernels use these instructions or not, if there are any, and returns whether they might so far. It is for tests, as
// Use is.
func UseVNNI(use bool) (old bool) {
	old, vnni = vnni, use && hasVNNI
	return old
}
