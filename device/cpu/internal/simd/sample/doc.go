// Package sample computes weighted sums of rows of raw memory, in assembly and in plain Go.
package sample

//go:generate go test -tags purego -run ^TestLayout$ -update .
//go:generate go run -C ../gen ./sample -out ../sample/sample_amd64.s -stubs ../sample/sample_amd64.go -pkg sample
//go:generate go run -C ../gen ./sample -neon -out ../sample/sample_arm64.s -stubs ../sample/sample_arm64.go -pkg sample
//go:generate go run -C ../gen ./neon ../sample/sample_arm64.s ../sample/sample_arm64.go
//go:generate go run ../sum sample
