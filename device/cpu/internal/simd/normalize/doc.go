// Package normalize shifts and scales rows of float32 and float64, and computes the sums that the gradients need: the
// inner loops of batch, layer and group normalisation, in assembly and in plain Go.
package normalize

//go:generate go run -C ../gen ./normalize -out ../normalize/normalize_amd64.s -stubs ../normalize/normalize_amd64.go -pkg normalize
//go:generate go run -C ../gen ./normalize -neon -out ../normalize/normalize_arm64.s -stubs ../normalize/normalize_arm64.go -pkg normalize
//go:generate go run -C ../gen ./neon ../normalize/normalize_arm64.s ../normalize/normalize_arm64.go
//go:generate go run ../sum normalize
