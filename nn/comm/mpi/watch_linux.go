//go:build !android && (amd64 || arm64)

package mpi

import (
	"os"

	"golang.org/x/sys/unix"
)

// processSpace identifies the processes that this one can see: two ranks of the same host and space know each other's
// numbers of processes. It is empty if the system does not tell.
func processSpace() string {
	space, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return ""
	}
	return space
}

// watch calls ended once with the index of a process that ended, until stop is called. It does nothing on kernels before
// 5.3.
func watch(processes []int, ended func(index int)) (stop func()) {
	var wait []unix.PollFd
	release := func() {
		for _, w := range wait {
			_ = unix.Close(int(w.Fd))
		}
	}
	for i, p := range processes {
		fd, err := unix.PidfdOpen(p, 0)
		if err == unix.ESRCH {
			go ended(i)
		}
		if err != nil {
			release()
			return func() {}
		}
		wait = append(wait, unix.PollFd{Fd: int32(fd), Events: unix.POLLIN})
	}
	bell, err := unix.Eventfd(0, unix.EFD_CLOEXEC)
	if err != nil || len(processes) == 0 {
		release()
		return func() {}
	}
	wait = append(wait, unix.PollFd{Fd: int32(bell), Events: unix.POLLIN})
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		for {
			if _, err := unix.Poll(wait, -1); err != nil && err != unix.EINTR {
				return
			}
			if wait[len(processes)].Revents != 0 {
				return
			}
			for i := range processes {
				if wait[i].Revents != 0 {
					ended(i)
					return
				}
			}
		}
	}()
	return func() {
		_, _ = unix.Write(bell, []byte{1, 0, 0, 0, 0, 0, 0, 0})
		<-finished
		release()
	}
}
