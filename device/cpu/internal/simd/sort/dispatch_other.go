//go:build !(amd64 || arm64) || purego

package sort

// Without assembly routines nothing is sorted in parts.

func vectors() bool { return false }

func networkLen[N Number]() int { return 1 }

func parts[N Number](x, less, rest []N, pivot N) (count int) { return 0 }

func middle[N Number](x []N) (m N) { return m }

func network[N Number](x, from []N) {}

func take[F Float](x, from []F) (ok bool) { return false }

func takeParts[F Float](x, less, rest []F, pivot F) (count int, ok bool) { return 0, false }
