//go:build !(amd64 || arm64) || purego

package move

import "unsafe"

func compress(dst, src unsafe.Pointer, mask []bool, count, size int) (looked, kept int) { return 0, 0 }

func positions(dst []int64, mask []bool, first int) (looked, kept int) { return 0, 0 }
