//go:build !amd64 || purego

package move

import "unsafe"

func reverse(dst, src unsafe.Pointer, n, size int) (done int) { return 0 }
