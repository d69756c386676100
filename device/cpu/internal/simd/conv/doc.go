// Package conv holds the inner loops of direct convolutions of float32 and float64: sums of products whose factors are
// located by a table of offsets, and the transposition and copies that arrange the memory that these sums read and
// write.
package conv

//go:generate go run -C ../gen ./conv -out ../conv/conv_amd64.s -stubs ../conv/conv_amd64.go -pkg conv
//go:generate go run -C ../gen ./conv -neon -out ../conv/conv_arm64.s -stubs ../conv/conv_arm64.go -pkg conv
//go:generate go run -C ../gen ./neon ../conv/conv_arm64.s ../conv/conv_arm64.go
//go:generate go run ../sum conv
