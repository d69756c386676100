// Package linalg stands for the library's: its functions are declared as there, and do nothing.
package linalg

import "github.com/ndgrad/ndgrad/nd"

func Solve(a, b *nd.Array) *nd.Array { return nil }
