// Package random stands for the library's: its functions are declared as there, and do nothing.
package random

import "github.com/ndgrad/ndgrad/nd"

func Normal(rng *nd.Rand, mean, std float64, shape []int, opts ...nd.ArrayOption) *nd.Array {
	return nil
}
