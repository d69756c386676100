//go:build !unix

package main

import "os"

// There is no way to pause a process here; one thread each does not need it.
func pause(*os.Process)  {}
func resume(*os.Process) {}
