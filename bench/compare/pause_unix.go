//go:build unix

package main

import (
	"os"
	"syscall"
)

// pause and resume keep a peer's threads, which may look out for work, off the processors while it is not its turn. A
// process that has ended shows when it is asked.
func pause(p *os.Process)  { _ = p.Signal(syscall.SIGSTOP) }
func resume(p *os.Process) { _ = p.Signal(syscall.SIGCONT) }
