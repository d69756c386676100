// Package bytes holds single operations on contiguous arrays of the types that package vm does not support: bytes,
// complex numbers and uint64. A function computes the elements that fill whole vectors and returns their number. The plain Go
// loops of package elementwise compute the rest.
package bytes

//go:generate go run -C ../gen ./bytes -out ../bytes/bytes_amd64.s -stubs ../bytes/bytes_amd64.go -pkg bytes
//go:generate go run -C ../gen ./bytes -neon -out ../bytes/bytes_arm64.s -stubs ../bytes/bytes_arm64.go -pkg bytes
//go:generate go run -C ../gen ./neon ../bytes/bytes_arm64.s ../bytes/bytes_arm64.go
//go:generate go run ../sum bytes
