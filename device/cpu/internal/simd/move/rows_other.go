//go:build !(amd64 || arm64) || purego

package move

import "unsafe"

func takeRows(dst, array unsafe.Pointer, offsets []int, size, bytes int, stream bool) bool {
	return false
}

func addRows(array, src unsafe.Pointer, offsets []int, size, length int) bool { return false }

func inRange(indices []int64, lowest, highest int64) (compared int, ok bool) { return 0, true }

func take(dst unsafe.Pointer, p Selection, size int) int { return 0 }

func add(p Selection, src unsafe.Pointer, size int) int { return 0 }
