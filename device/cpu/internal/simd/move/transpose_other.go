//go:build !(amd64 || arm64) || purego

package move

import "unsafe"

func stripFor(matrix, bool) (strip, bool) { return strip{}, false }

func (s strip) run(int, unsafe.Pointer, int, unsafe.Pointer, int) {}
