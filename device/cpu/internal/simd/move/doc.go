// Package move copies elements of any type, in assembly and in plain Go: transposed, repeated, selected by indices, and
// converted. Operands are raw memory. Written operands do not overlap read ones.
package move

//go:generate go run -C ../gen ./move -out ../move/move_amd64.s -stubs ../move/move_amd64.go -pkg move
//go:generate go run -C ../gen ./move -neon -out ../move/move_arm64.s -stubs ../move/move_arm64.go -pkg move
//go:generate go run -C ../gen ./neon ../move/move_arm64.s ../move/move_arm64.go
//go:generate go run ../sum move
