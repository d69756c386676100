// Package comm connects the ranks of a computation: goroutines, processes or machines that work on one result. A
// [Communicator] has collective functions that all ranks call in the same order, such as [Communicator.AllReduce]. Their names and
// meanings are those of NNabla's communicators.
//
// An [Engine] moves the data. Package comm itself has one for goroutines, [Local], which defines the results of all
// others. Packages nn/comm/mpi and nn/comm/nccl connect processes. A program that imports one of them, also by a blank
// import, gets it from [Open]:
//
//	c, err := comm.Open(ctx) // one rank if the program was started alone
//
// Sums over ranks are added in the order of the ranks, so that results depend neither on timing nor on how many
// processes share the ranks' work.
package comm
