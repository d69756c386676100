// Package softmax computes with the rows of matrices of float32 and float64: the exponentials and sums that softmax and cross
// entropy are made of, in assembly and in plain Go.
package softmax

//go:generate go run -C ../gen ./softmax -out ../softmax/softmax_amd64.s -stubs ../softmax/softmax_amd64.go -pkg softmax
//go:generate go run ../sum softmax
