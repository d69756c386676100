// Package threaded runs elementwise programs: a program becomes a list of handlers, routines that do one operation on 4
// vectors and jump to the next one, so that a value is rarely farther than a register or the first-level cache.
package threaded

//go:generate go run -C ../gen ./threaded -out ../threaded/threaded_amd64.s -stubs ../threaded/threaded_amd64.go -pkg threaded -names ../threaded/names_amd64.go
//go:generate go run ../sum threaded
