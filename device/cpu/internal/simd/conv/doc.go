// Package conv holds the inner loops of direct convolutions of float32 and float64: sums of products whose factors are found in
// the source by a table of offsets, and the transposition and copies that lay out what these sums read and write.
package conv

//go:generate go run -C ../gen ./conv -out ../conv/conv_amd64.s -stubs ../conv/conv_amd64.go -pkg conv
//go:generate go run ../sum conv
