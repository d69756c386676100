// Package move copies elements of any type, in assembly and in plain Go: transposed, repeated, selected by indices, and
// converted. Operands are raw memory. Written operands do not overlap read ones.
package move

//go:generate go run -C ../gen ./move -out ../move/move_amd64.s -stubs ../move/move_amd64.go -pkg move
//go:generate go run ../sum move
