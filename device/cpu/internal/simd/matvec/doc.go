// Package matvec multiplies matrices with vectors, in assembly and in plain Go: the passes over a matrix with which
// factorisations reduce it column by column, rotations and reflections of rows and columns, and sums of the secular equation.
package matvec

//go:generate go run -C ../gen ./matvec -out ../matvec/matvec_amd64.s -stubs ../matvec/matvec_amd64.go -pkg matvec
//go:generate go run -C ../gen ./matvec -neon -out ../matvec/matvec_arm64.s -stubs ../matvec/matvec_arm64.go -pkg matvec
//go:generate go run -C ../gen ./neon ../matvec/matvec_arm64.s ../matvec/matvec_arm64.go
//go:generate go run ../sum matvec
