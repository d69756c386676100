// Package softmax computes on the rows of float32 and float64 matrices: the exponentials and sums behind softmax and
// cross entropy, in assembly and in plain Go.
package softmax

//go:generate go run -C ../gen ./softmax -out ../softmax/softmax_amd64.s -stubs ../softmax/softmax_amd64.go -pkg softmax
//go:generate go run -C ../gen ./softmax -neon -out ../softmax/softmax_arm64.s -stubs ../softmax/softmax_arm64.go -pkg softmax
//go:generate go run -C ../gen ./neon ../softmax/softmax_arm64.s ../softmax/softmax_arm64.go
//go:generate go run ../sum softmax
