// Package normalize brings rows of float32 and float64 to a mean and a deviation, and takes gradients back through that: the rows
// of the normalisations of device/cpu, in assembly and in plain Go.
package normalize

//go:generate go run -C ../gen ./normalize -out ../normalize/normalize_amd64.s -stubs ../normalize/normalize_amd64.go -pkg normalize
//go:generate go run ../sum normalize
