package device

import (
	"os"
	"sync"
	"syscall"
)

// HostMemory returns how many bytes of memory and swap this process can use, limited by the machine and by its control
// groups; 0 if that is not known. Larger requests are rejected at once: otherwise the runtime or the system would end
// the program.
func HostMemory() uint64 { return hostMemory() }

var hostMemory = sync.OnceValue(func() uint64 {
	var info syscall.Sysinfo_t
	if syscall.Sysinfo(&info) != nil {
		return 0
	}
	unit := uint64(info.Unit)
	memory, swap := uint64(info.Totalram)*unit, uint64(info.Totalswap)*unit
	return min(memory+swap, cgroupMemory(os.DirFS("/"), swap))
})
