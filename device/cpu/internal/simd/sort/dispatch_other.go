//go:build !(amd64 || arm64) || purego

package sort

// Without assembly routines nothing is sorted in parts.

func vectors() bool { return false }

func parts[N Number](x, less, rest []N, pivot N) (count int) { return 0 }

func middle[N Number](x []N) (m N) { return m }

func network[N Number](x, from []N) {}

func take[N Number](x, from []N) (ok bool) { return false }

func takeParts[N Number](x, less, rest []N, pivot N) (count int, ok bool) { return 0, false }
