//go:build !amd64 || purego

package gemm

func runMatrixTiles(s *strip, n int) { panic("gemm: no products of MatrixQuads") }
