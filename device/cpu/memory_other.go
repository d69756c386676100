//go:build !linux

package cpu

// memoryLimit returns how many bytes of memory there are for this process, 0 for not known.
func memoryLimit() uint64 { return 0 }
