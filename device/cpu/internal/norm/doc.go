// Package norm brings rows of float32 and float64 to a mean and a deviation, and takes gradients back through that: the rows
// of the normalisations of device/cpu, in assembly and in plain Go.
package norm

//go:generate go run -C ../gen ./norm -out ../norm/norm_amd64.s -stubs ../norm/norm_amd64.go -pkg norm
//go:generate go run ../sum norm
