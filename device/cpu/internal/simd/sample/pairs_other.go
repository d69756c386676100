//go:build !amd64 || purego

package sample

// TakesPairs reports whether there are routines for pairs.
func TakesPairs() bool { return false }

func pairs(n int, first, second []int, limit int, masks []byte, apart int) bool { return false }

func split[T float32 | float64](n int, low, high []T, pairs [][2]T, masks []byte, apart int) bool {
	return false
}
