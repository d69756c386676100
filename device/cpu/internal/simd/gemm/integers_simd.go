//go:build (amd64 || arm64) && !purego

package gemm

import "github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"

// routines selects the instructions that multiply a type of integers or groups.
type routines int

const (
	avx2I32 routines = iota
	avx2I64
	avx2Pairs
	avx512I32
	avx512I64
	avx512Pairs
	vnniPairs
	quads
	bf16Pairs
	matrixQuads
)

// integerForms are the tile sizes of these routines.
var integerForms = [...]form{
	avx2I32: {rows: 4, lanes: 8}, avx2I64: {rows: 3, lanes: 4}, avx2Pairs: {rows: 4, lanes: 8},
	avx512I32: {rows: 6, lanes: 16}, avx512I64: {rows: 6, lanes: 8}, avx512Pairs: {rows: 6, lanes: 16},
	vnniPairs: {rows: 12, lanes: 16}, quads: quadForm, bf16Pairs: {rows: 12, lanes: 16}, matrixQuads: {rows: 32, lanes: 16},
}

func integerFormOf[T Element](level isa.Level) *form { return &integerForms[routinesOf[T](level)] }

func routinesOf[T Element](level isa.Level) routines {
	r := avx2I32
	switch any(*new(T)).(type) {
	case uint64:
		r = avx2I64
	case Pairs:
		if level == isa.AVX512 && isa.VNNI() {
			return vnniPairs
		}
		r = avx2Pairs
	case Quads:
		return quads
	case BFloats:
		return bf16Pairs
	case MatrixQuads:
		return matrixQuads
	}
	if level == isa.AVX512 {
		r += avx512I32 - avx2I32
	}
	return r
}

func runIntegers(args *uintptr, r routines, vectors int, masked, panels bool) {
	switch {
	case r == quads:
		runQuads(args, vectors, masked, panels)
	case r == bf16Pairs:
		runBFloats(args, vectors, masked, panels)
	case vectors == 2 && !masked && panels:
		runPanels(args, r)
	case vectors == 2 && !masked:
		runTiles(args, r)
	case vectors == 2:
		runMasked(args, r)
	default:
		runMaskedVectors(args, r)
	}
}

func runPanels(args *uintptr, r routines) {
	switch r {
	case avx2I32:
		tile2PanelsAVX2I32(args)
	case avx2I64:
		tile2PanelsAVX2I64(args)
	case avx2Pairs:
		tile2PanelsAVX2Pairs(args)
	case avx512I32:
		tile2PanelsAVX512I32(args)
	case avx512I64:
		tile2PanelsAVX512I64(args)
	case avx512Pairs:
		tile2PanelsAVX512Pairs(args)
	case vnniPairs:
		tile2PanelsVNNIPairs(args)
	}
}

func runTiles(args *uintptr, r routines) {
	switch r {
	case avx2I32:
		tile2AVX2I32(args)
	case avx2I64:
		tile2AVX2I64(args)
	case avx2Pairs:
		tile2AVX2Pairs(args)
	case avx512I32:
		tile2AVX512I32(args)
	case avx512I64:
		tile2AVX512I64(args)
	case avx512Pairs:
		tile2AVX512Pairs(args)
	case vnniPairs:
		tile2VNNIPairs(args)
	}
}

func runMasked(args *uintptr, r routines) {
	switch r {
	case avx2I32:
		tile2MaskedAVX2I32(args)
	case avx2I64:
		tile2MaskedAVX2I64(args)
	case avx2Pairs:
		tile2MaskedAVX2Pairs(args)
	case avx512I32:
		tile2MaskedAVX512I32(args)
	case avx512I64:
		tile2MaskedAVX512I64(args)
	case avx512Pairs:
		tile2MaskedAVX512Pairs(args)
	case vnniPairs:
		tile2MaskedVNNIPairs(args)
	}
}

func runMaskedVectors(args *uintptr, r routines) {
	switch r {
	case avx2I32:
		tile1MaskedAVX2I32(args)
	case avx2I64:
		tile1MaskedAVX2I64(args)
	case avx2Pairs:
		tile1MaskedAVX2Pairs(args)
	case avx512I32:
		tile1MaskedAVX512I32(args)
	case avx512I64:
		tile1MaskedAVX512I64(args)
	case avx512Pairs:
		tile1MaskedAVX512Pairs(args)
	case vnniPairs:
		tile1MaskedVNNIPairs(args)
	}
}
