package cpu

import (
	"sync"
	"syscall"
)

// physicalMemory returns how many bytes of memory and swap the machine has, 0 where that is not known. More than that
// is refused at once: the runtime would end the program.
var physicalMemory = sync.OnceValue(func() uint64 {
	var info syscall.Sysinfo_t
	if syscall.Sysinfo(&info) != nil {
		return 0
	}
	return (uint64(info.Totalram) + uint64(info.Totalswap)) * uint64(info.Unit)
})
