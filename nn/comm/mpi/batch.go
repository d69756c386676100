package mpi

// batch is what one transition from Go to C does: it makes calls that start requests, and then asks whether all requests
// are complete. A transition takes 0.1 µs, a good part of the time of a small message.
type batch struct {
	calls    *foreignCall
	left     int        // calls to make; those that were not made, afterwards
	testall  uintptr    // the address of MPI_Testall
	question [4]uintptr // its arguments; the third is complete
	complete *int32     // not 0 if all requests are complete
	tries    int        // how often it asks at most
	code     int        // of the call that failed, or 0
}

// foreignCall is one call of a function that returns an int, which is not 0 if the call fails.
type foreignCall struct {
	address   uintptr
	arguments [9]uintptr
	function  function // that is at the address
	count     int      // of arguments
}
