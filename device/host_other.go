//go:build !linux

package device

// HostMemory returns how many bytes of memory there are for this process, 0 where that is not known.
func HostMemory() uint64 { return 0 }
