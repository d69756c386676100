//go:build !linux

package device

// HostMemory returns how many bytes of memory this process can use, 0 if that is not known.
func HostMemory() uint64 { return 0 }
