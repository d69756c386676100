// Package reduce combines many float32 or float64 values into one, along rows and down columns: the reductions,
// searches and scans of device/cpu, in assembly and in plain Go.
package reduce

//go:generate go run -C ../gen ./reduce -out ../reduce/reduce_amd64.s -stubs ../reduce/reduce_amd64.go -pkg reduce
//go:generate go run -C ../gen ./reduce -neon -out ../reduce/reduce_arm64.s -stubs ../reduce/reduce_arm64.go -pkg reduce
//go:generate go run -C ../gen ./neon ../reduce/reduce_arm64.s ../reduce/reduce_arm64.go
//go:generate go run ../sum reduce
