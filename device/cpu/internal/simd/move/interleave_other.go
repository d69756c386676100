//go:build !(amd64 || arm64) || purego

package move

import "unsafe"

func interleaves(rows, size int) bool { return false }

func interleave(dst unsafe.Pointer, src *Rows, rows, n, size int) (done int) { return 0 }
