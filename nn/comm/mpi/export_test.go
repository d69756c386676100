package mpi

// SetMost sets the largest number of elements of one message, and returns a function that restores it.
func SetMost(n int) (restore func()) {
	before := most
	most = n
	return func() { most = before }
}

// UseMessages makes Open send everything by messages, also between ranks of one machine.
func UseMessages() { useShared = false }
