// Package rows computes with the rows of matrices of float32 and float64: the exponentials and sums that softmax and cross
// entropy are made of, in assembly and in plain Go.
package rows

//go:generate go run -C ../gen ./rows -out ../rows/rows_amd64.s -stubs ../rows/rows_amd64.go -pkg rows
//go:generate go run ../sum rows
