//go:build !amd64 || purego

package gemm

import "unsafe"

func runBFloats(args *uintptr, vectors int, masked, panels bool) {
	panic("gemm: no products of BFloats")
}

func exchangeAll(dst []uint32, src unsafe.Pointer) int { return 0 }

func boundAll(m *Magnitudes, src unsafe.Pointer, n int) int { return 0 }
