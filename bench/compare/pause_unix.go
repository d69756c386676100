//go:build unix

package main

import (
	"os"
	"syscall"
)

// pause and resume keep a peer's threads, which may spin while they wait for work, off the processors while it is not
// the peer's turn. The error of a process that has ended appears at the next request.
func pause(p *os.Process)  { _ = p.Signal(syscall.SIGSTOP) }
func resume(p *os.Process) { _ = p.Signal(syscall.SIGCONT) }
