//go:build !linux

package cpu

// physicalMemory returns how many bytes of memory the machine has, 0 for not known.
func physicalMemory() uint64 { return 0 }
