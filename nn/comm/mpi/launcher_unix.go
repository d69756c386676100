//go:build ((linux && !android) || (darwin && !ios)) && (amd64 || arm64)

package mpi

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// tellLauncher tells MPICH's launcher that this process has ended MPI. MPICH does so in an exit handler of C, which does not run in
// a Go process; the launcher then kills the ranks that have not ended yet. The message is that of PMI version 1, in which
// launcher and library talk by the file that PMI_FD names.
func (l *library) tellLauncher() {
	fd, err := strconv.Atoi(os.Getenv("PMI_FD"))
	if version := os.Getenv("MPIR_CVAR_PMI_VERSION"); err != nil || !strings.HasPrefix(l.version, "MPICH") || version != "" && version != "1" {
		return
	}
	if _, err := unix.Write(fd, []byte("cmd=finalize\n")); err != nil {
		return
	}
	const patience = 2000 // milliseconds for the answer
	waiting := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	for {
		n, err := unix.Poll(waiting, patience)
		if err == unix.EINTR {
			continue
		}
		if n > 0 {
			_, _ = unix.Read(fd, make([]byte, 256))
		}
		return
	}
}
