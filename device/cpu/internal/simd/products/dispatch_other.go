//go:build !amd64 || purego

package products

// MostColumns returns the largest N of a batch: none, without assembly.
func MostColumns[T Float]() int { return 0 }

func multiply[T Float](b *Batch) { plain[T](b) }
