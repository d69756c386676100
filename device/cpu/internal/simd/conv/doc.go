// Package conv holds the tiles of direct convolutions of float32 and float64, sums of products that find their elements
// in the source by tables of offsets, and the transposition that lays out what they read and write.
package conv

//go:generate go run -C ../gen ./conv -out ../conv/conv_amd64.s -stubs ../conv/conv_amd64.go -pkg conv
//go:generate go run ../sum conv
