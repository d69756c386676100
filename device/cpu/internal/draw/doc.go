// Package draw draws random numbers, a block of Philox 4x32-10 for each: in assembly, and by the definitions of package
// scalar.
package draw

//go:generate go run -C ../gen ./draw -out ../draw/draw_amd64.s -stubs ../draw/draw_amd64.go -pkg draw
//go:generate go run ../sum draw
