// Package philox draws random numbers, a block of Philox 4x32-10 for each: in assembly, and by the definitions of package
// scalar.
package philox

//go:generate go run -C ../gen ./philox -out ../philox/philox_amd64.s -stubs ../philox/philox_amd64.go -pkg philox
//go:generate go run ../sum philox
