// Package direct holds the tiles of direct convolutions of float32 and float64, sums of products that find their elements
// in the source by tables of offsets, and the transposition that lays out what they read and write.
package direct

//go:generate go run -C ../gen ./direct -out ../direct/direct_amd64.s -stubs ../direct/direct_amd64.go -pkg direct
//go:generate go run ../sum direct
