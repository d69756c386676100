// Package philox draws random numbers, each from its own block of Philox 4x32-10: in assembly, and by the reference
// implementations in package scalar.
package philox

//go:generate go run -C ../gen ./philox -out ../philox/philox_amd64.s -stubs ../philox/philox_amd64.go -pkg philox
//go:generate go run -C ../gen ./philox -neon -out ../philox/philox_arm64.s -stubs ../philox/philox_arm64.go -pkg philox
//go:generate go run -C ../gen ./neon ../philox/philox_arm64.s ../philox/philox_arm64.go
//go:generate go run ../sum philox
