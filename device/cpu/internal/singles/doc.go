// Package singles holds single operations on arrays of types that package threaded has no lanes for: on bytes, and on
// complex numbers. They do all but a rest, which the loops in plain Go of package cpu are for.
package singles

//go:generate go run -C ../gen ./singles -out ../singles/singles_amd64.s -stubs ../singles/singles_amd64.go -pkg singles
//go:generate go run ../sum singles
