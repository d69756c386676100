//go:build !(((linux && !android) || (darwin && !ios)) && (amd64 || arm64))

package mpi

// loadable says whether this system can load libraries.
const loadable = false

func loadLibrary(string) (uintptr, error) { panic("mpi: no libraries") }
func symbol(uintptr, string) uintptr      { panic("mpi: no libraries") }
func call(uintptr, ...uintptr) int32      { panic("mpi: no libraries") }
func saveHandlers() func()                { panic("mpi: no signals") }
func setenv(string, string)               { panic("mpi: no libraries") }

func (l *library) tellLauncher() {}
