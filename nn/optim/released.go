package optim

import "github.com/ndgrad/ndgrad/nd"

// checkValid panics with the function's error if a gradient was released.
func (g *Gradients) checkValid(fn nd.Func) { checkValid(fn, g.list...) }

func checkValid(fn nd.Func, list ...*gradient) {
	for _, e := range list {
		if e.value != nil && e.value.IsReleased() {
			panic(fn.Errorf(nil, "the gradients were released, as Tape.Reset does: call %s before", fn))
		}
	}
}
