//go:build (amd64 || arm64) && !purego

package gemm

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
)

// forms are the tile sizes of AVX2 and AVX-512, each for float32 and float64.
var forms = [2][2]form{
	{{rows: 6, lanes: 8, wide: avx2Wide}, {rows: 6, lanes: 4, wide: avx2Wide}},
	{{rows: 12, lanes: 16, wide: avx512Wide}, {rows: 12, lanes: 8, wide: avx512Wide}},
}

var (
	avx2Wide   = [9]int{1: 4, 2: 4, 3: 3, 4: 3, 5: 2, 6: 2, 7: 2, 8: 2}
	avx512Wide = [9]int{1: 8, 2: 8, 3: 4, 4: 4, 5: 4, 6: 4, 7: 2, 8: 2}
)

func formOf[T Element]() *form {
	level := isa.Current()
	if level == isa.Generic {
		return &plainForm
	}
	if !isFloat[T]() {
		return integerFormOf[T](level)
	}
	return &forms[level-isa.AVX2][unsafe.Sizeof(*new(T))/8]
}

// usedLanes has 8 lanes that are set, followed by 8 that are not.
var usedLanes = [16]int32{-1, -1, -1, -1, -1, -1, -1, -1}

// maskAVX2 returns the address of a mask for the first used lanes.
func maskAVX2(used, size int) uintptr { return uintptr(unsafe.Pointer(&usedLanes[8-used*size/4])) }

// multiplyStrip runs the routine for tiles of n columns. It masks the lanes of the last vector that n does not fill.
// Tiles of one vector have only a masked routine.
//
//go:noinline
func multiplyStrip[T Element](s *strip, n int) {
	level := isa.Current()
	if level == isa.Generic {
		plainStrip[T](s, n)
		return
	}
	if !PacksA[T]() {
		runMatrixTiles(s, n)
		return
	}
	size := int(unsafe.Sizeof(*new(T)))
	f := formOf[T]()
	vectors := (n + f.lanes - 1) / f.lanes
	used := n - (vectors-1)*f.lanes // of the last vector
	masked := used < f.lanes || vectors == 1
	panels := s.aLine == size
	args := (*uintptr)(unsafe.Pointer(s))
	if level == isa.AVX512 {
		s.mask = 1<<used - 1
	} else {
		s.mask = maskAVX2(used, size)
	}
	if !isFloat[T]() {
		runIntegers(args, routinesOf[T](level), vectors, masked, panels)
		return
	}
	if level == isa.AVX512 {
		if size == 4 {
			runAVX512F32(args, vectors, masked, panels)
		} else {
			runAVX512F64(args, vectors, masked, panels)
		}
		return
	}
	if size == 4 {
		runAVX2F32(args, vectors, masked, panels)
	} else {
		runAVX2F64(args, vectors, masked, panels)
	}
}

func runAVX512F32(args *uintptr, vectors int, masked, panels bool) {
	switch {
	case vectors == 2 && !masked && panels:
		tile2PanelsAVX512F32(args)
	case vectors == 2 && !masked:
		tile2AVX512F32(args)
	case vectors == 2:
		tile2MaskedAVX512F32(args)
	case vectors == 1:
		tile1MaskedAVX512F32(args)
	case vectors == 4:
		tile4AVX512F32(args)
	default:
		tile8AVX512F32(args)
	}
}

func runAVX512F64(args *uintptr, vectors int, masked, panels bool) {
	switch {
	case vectors == 2 && !masked && panels:
		tile2PanelsAVX512F64(args)
	case vectors == 2 && !masked:
		tile2AVX512F64(args)
	case vectors == 2:
		tile2MaskedAVX512F64(args)
	case vectors == 1:
		tile1MaskedAVX512F64(args)
	case vectors == 4:
		tile4AVX512F64(args)
	default:
		tile8AVX512F64(args)
	}
}

func runAVX2F32(args *uintptr, vectors int, masked, panels bool) {
	switch {
	case vectors == 2 && !masked && panels:
		tile2PanelsAVX2F32(args)
	case vectors == 2 && !masked:
		tile2AVX2F32(args)
	case vectors == 2:
		tile2MaskedAVX2F32(args)
	case vectors == 1:
		tile1MaskedAVX2F32(args)
	case vectors == 3:
		tile3AVX2F32(args)
	default:
		tile4AVX2F32(args)
	}
}

func runAVX2F64(args *uintptr, vectors int, masked, panels bool) {
	switch {
	case vectors == 2 && !masked && panels:
		tile2PanelsAVX2F64(args)
	case vectors == 2 && !masked:
		tile2AVX2F64(args)
	case vectors == 2:
		tile2MaskedAVX2F64(args)
	case vectors == 1:
		tile1MaskedAVX2F64(args)
	case vectors == 3:
		tile3AVX2F64(args)
	default:
		tile4AVX2F64(args)
	}
}
