package device

import (
	"os"
	"sync"
	"syscall"
)

// HostMemory returns how many bytes of memory and swap there are for this process, in the machine and by its control groups; 0
// where that is not known. More than that is refused at once: the runtime would end the program, or the system would.
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
