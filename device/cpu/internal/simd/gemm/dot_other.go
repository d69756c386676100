//go:build !(amd64 || arm64) || purego

package gemm

func dot32(a, b []float32) float32 { return plainDot(a, b) }
func dot64(a, b []float64) float64 { return plainDot(a, b) }
