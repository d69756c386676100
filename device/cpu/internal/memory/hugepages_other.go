//go:build !linux

package memory

import "unsafe"

// adviseHugePages does nothing: other systems choose the size of pages by themselves.
func adviseHugePages(unsafe.Pointer, int) {}
