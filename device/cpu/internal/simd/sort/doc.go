// Package sort sorts rows of numbers, and selects their first elements: in assembly for AVX-512, and in plain Go.
package sort

//go:generate go run -C ../gen ./sort -out ../sort/sort_amd64.s -stubs ../sort/sort_amd64.go -pkg sort
//go:generate go run -C ../gen ./sort -neon -out ../sort/sort_arm64.s -stubs ../sort/sort_arm64.go -pkg sort
//go:generate go run -C ../gen ./neon ../sort/sort_arm64.s ../sort/sort_arm64.go
//go:generate go run ../sum sort
