//go:build !amd64 || purego

package limit

func multiplyAdd(bool) (run func(rounds int), flops float64) { return nil, 0 }

var triad func(n int, y, a, b *float32)
