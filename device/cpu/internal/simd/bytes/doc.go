// Package bytes holds single operations on contiguous arrays of types that package vm does not compute with: bytes, and complex
// numbers. A function computes the elements that fill whole vectors and returns how many those were; the loops in plain Go of
// package elementwise compute the rest.
package bytes

//go:generate go run -C ../gen ./bytes -out ../bytes/bytes_amd64.s -stubs ../bytes/bytes_amd64.go -pkg bytes
//go:generate go run ../sum bytes
