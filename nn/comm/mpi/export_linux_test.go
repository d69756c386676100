package mpi

// Handlers returns how the process handles each signal.
func Handlers() handlers { return *currentHandlers() }

// OnOwnStack reports whether a handler is a function that runs on the stack that Go's runtime keeps for signals.
func (h handler) OnOwnStack() bool {
	const onStack, defaultOrIgnore = 0x08000000, 1
	return h.function <= defaultOrIgnore || h.flags&onStack != 0
}
