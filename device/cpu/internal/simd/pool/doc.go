// Package pool combines the elements under sliding windows, and distributes gradients back to them: the inner loops of
// pooling along rows of float32 and float64, in assembly and in plain Go.
package pool

//go:generate go test -tags purego -run ^TestLayout$ -update .
//go:generate go run -C ../gen ./pool -out ../pool/pool_amd64.s -stubs ../pool/pool_amd64.go -pkg pool
//go:generate go run -C ../gen ./pool -neon -out ../pool/pool_arm64.s -stubs ../pool/pool_arm64.go -pkg pool
//go:generate go run -C ../gen ./neon ../pool/pool_arm64.s ../pool/pool_arm64.go
//go:generate go run ../sum pool
