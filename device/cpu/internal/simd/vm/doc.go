// Package vm runs elementwise programs. A program becomes a list of handlers: routines that do one operation on 4
// vectors and jump to the next handler. A value is therefore rarely farther away than a register or the first-level
// cache. A program of one basic operation is one handler with a loop, if vectors are wide.
package vm

//go:generate go test -tags purego -run ^TestLayout$ -update .
//go:generate go run -C ../gen ./vm -out ../vm/vm_amd64.s -stubs ../vm/vm_amd64.go -pkg vm -names ../vm/names_amd64.go
//go:generate go run -C ../gen ./vm -neon -out ../vm/vm_arm64.s -stubs ../vm/vm_arm64.go -pkg vm -names ../vm/names_arm64.go
//go:generate go run -C ../gen ./neon ../vm/vm_arm64.s ../vm/vm_arm64.go
//go:generate go run ../sum vm
