// Package fold combines many float32 or float64 values to one, along rows and down columns: the reductions, the searches
// and the scans of device/cpu, in assembly and in plain Go.
package fold

//go:generate go run -C ../gen ./fold -out ../fold/fold_amd64.s -stubs ../fold/fold_amd64.go -pkg fold
//go:generate go run ../sum fold
