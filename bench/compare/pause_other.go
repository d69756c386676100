//go:build !unix

package main

import "os"

// Processes cannot be paused here. With one thread each, they need not be.
func pause(*os.Process)  {}
func resume(*os.Process) {}
