// Package mpi connects processes, on one machine or on many, by an installed library of MPI. Importing it is enough for
// comm.Open:
//
//	import _ "github.com/ndgrad/ndgrad/nn/comm/mpi"
//
// The program is then started by the launcher of that library, such as
//
//	mpirun -n 4 --bind-to none ./program
//
// Two kinds of libraries fit: those with the binary interface of MPI 5.0, libmpi_abi (MPICH from 5.0 on, Open MPI from 6 on),
// and Open MPI 4 and 5. Others are refused by name. [Open] loads the library. No C compiler and no tag is needed, but a
// program that imports this package is linked dynamically. On systems other than Linux and macOS, Open returns an error.
//
// # What happens in a process
//
// One goroutine makes all calls of MPI, on a thread of its own, and asks whether requests are complete. So a call can end
// when its context does. The library's handlers of signals are removed, because Go's runtime needs its own: panics,
// profiles and preemption work as before. Messages are in memory that the library made, since it may not see what Go's
// runtime does with Go's memory. After Open a process must not fork, except by os/exec.
//
// MPI starts once in a process. After Close it cannot be started again.
package mpi
