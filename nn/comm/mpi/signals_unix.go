//go:build ((linux && !android) || (darwin && !ios)) && (amd64 || arm64)

package mpi

// handlers is how the process handles each signal, by its number.
type handlers [lastSignal + 1]handler

// saveHandlers remembers how the process handles each signal, and returns a function that restores it. Go's runtime needs
// its own handlers: SIGSEGV makes a panic, SIGURG preempts goroutines, and SIGPROF takes profiles. A handler without
// SA_ONSTACK ends a Go process, because it runs on the small stack of a goroutine.
func saveHandlers() (restore func()) {
	saved := currentHandlers()
	return func() {
		for signal, now := range currentHandlers() {
			if now != saved[signal] {
				setHandler(signal, saved[signal])
			}
		}
	}
}

func currentHandlers() *handlers {
	now := new(handlers)
	for signal := 1; signal <= lastSignal; signal++ {
		now[signal] = handlerOf(signal)
	}
	return now
}
