// Package sort sorts and selects: in assembly with 512-bit vectors, and in plain Go.
package sort

//go:generate go run -C ../gen ./sort -out ../sort/sort_amd64.s -stubs ../sort/sort_amd64.go -pkg sort
//go:generate go run ../sum sort
