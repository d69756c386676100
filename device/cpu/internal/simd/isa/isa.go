// Package isa selects the vector instructions that the kernels of device/cpu may use. The choice is made once, at
// start-up. Tests restrict it to run the same kernels in every form.
package isa

import (
	"runtime"
	"sync"
)

// Level is a set of instructions. Each level includes the levels before it.
type Level int

// The instruction levels.
const (
	Generic Level = iota // plain Go only
	AVX2                 // AVX2, FMA and F16C; on arm64 NEON, with the same routines
	AVX512               // AVX-512 F, BW, CD, DQ and VL
)

// String returns the level's name.
func (l Level) String() string {
	if l == AVX2 && runtime.GOARCH == "arm64" {
		return "neon"
	}
	return [...]string{"generic", "avx2", "avx512"}[l]
}

// Best is the highest level that the processor and the build support. It is Generic under the build tag purego.
var Best = detect()

var current = Best

// Current returns the level that kernels use now.
func Current() Level { return current }

// Use sets the level that kernels use, to l or to Best if that is lower, and returns the previous level. Use is for
// tests, which must not run kernels at the same time.
func Use(l Level) (old Level) {
	old, current = current, min(l, Best)
	return old
}

// hasVNNI reports whether the processor and the build support AVX512_VNNI, or SDOT.
var hasVNNI = detectVNNI()

var vnni = hasVNNI

// VNNI reports whether kernels use AVX512_VNNI now: instructions that multiply small integers and add the products. On
// arm64 this is SDOT, which multiplies bytes only. The levels do not include them.
func VNNI() bool { return vnni && current == Best }

// hasBF16 reports whether the processor and the build support AVX512_BF16.
var hasBF16 = detectBF16()

var bf16 = hasBF16

// BF16 reports whether kernels use AVX512_BF16 now: instructions that multiply pairs of bfloat16 and add the products. The
// levels do not include them.
func BF16() bool { return bf16 && VNNI() }

// hasAMX reports whether the processor, its operating system and the build support AMX. It asks the system when it is first
// called: a program that never needs AMX keeps its small state.
var hasAMX = sync.OnceValue(detectAMX)

var amx = true

// AMX reports whether kernels use AMX now: instructions that multiply tiles of bytes. The levels do not include them. Go's scheduler
// does not know of the tiles: a routine must release them before it returns.
func AMX() bool { return amx && VNNI() && hasAMX() }

// Narrow restricts kernels to one of the instruction sets that the processor has, until restore is called. Any number
// selects a set, modulo the number of sets. Narrow is for tests, like Use.
func Narrow(number uint8) (restore func()) {
	sets := int(current) + 1
	for _, has := range []bool{VNNI(), BF16(), AMX()} {
		if has {
			sets++
		}
	}
	set := int(number) % sets
	hadVNNI, hadBF16, hadAMX := UseVNNI(set > int(current)), UseBF16(set > int(current)+1), UseAMX(set > int(current)+2)
	level := Use(min(Level(set), current))
	return func() {
		Use(level)
		UseVNNI(hadVNNI)
		UseBF16(hadBF16)
		UseAMX(hadAMX)
	}
}

// UseVNNI sets whether kernels use VNNI's instructions, if the processor has them, and returns the previous setting. UseVNNI,
// UseBF16 and UseAMX are for tests, like Use.
func UseVNNI(use bool) (old bool) {
	old, vnni = vnni, use && hasVNNI
	return old
}

// UseBF16 is UseVNNI for the instructions of BF16, which are not used without those of VNNI.
func UseBF16(use bool) (old bool) {
	old, bf16 = bf16, use && hasBF16
	return old
}

// UseAMX is UseVNNI for the instructions of AMX, which are not used without those of VNNI.
func UseAMX(use bool) (old bool) {
	old, amx = amx, use
	return old
}
