// Package gemm multiplies matrices and vectors of float32, float64 and integers. It holds the tiles, the packing and
// the inner products of device/cpu, in assembly and in plain Go. Integers have 32 or 64 bits, or are groups of narrower
// ones (groups.go). A group may also hold two bfloat16 (bfloats.go).
package gemm

//go:generate go test -tags purego -run ^TestLayout$ -update .
//go:generate go run -C ../gen ./gemm -out ../gemm/gemm_amd64.s -stubs ../gemm/gemm_amd64.go -pkg gemm
//go:generate go run -C ../gen ./gemm -neon -out ../gemm/gemm_arm64.s -stubs ../gemm/gemm_arm64.go -pkg gemm
//go:generate go run -C ../gen ./neon ../gemm/gemm_arm64.s ../gemm/gemm_arm64.go
//go:generate go run ../sum gemm
