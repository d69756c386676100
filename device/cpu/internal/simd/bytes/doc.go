// Package bytes holds single operations on arrays of types that package vm has no lanes for: on bytes, and on
// complex numbers. They do all but a rest, which the loops in plain Go of package cpu are for.
package bytes

//go:generate go run -C ../gen ./bytes -out ../bytes/bytes_amd64.s -stubs ../bytes/bytes_amd64.go -pkg bytes
//go:generate go run ../sum bytes
