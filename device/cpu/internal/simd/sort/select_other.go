//go:build !(amd64 || arm64) || purego

package sort

func skip[T float32 | float64](x []T, bound T, smallest bool) int { return 0 }

func keys[K Key](dst, src []K, before, after K) (done int, special bool) { return 0, false }
