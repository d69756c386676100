//go:build !amd64 || purego

package move

import "unsafe"

func interleaves(rows, size int) bool { return false }

func interleave(dst, src unsafe.Pointer, distance, rows, n, size int) (done int) { return 0 }
