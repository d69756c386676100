package optim

import (
	"fmt"
	"math"

	"github.com/ndgrad/ndgrad/nd"
)

// moments are the options of rules with a running mean and a running mean square.
type moments struct{ alpha, beta1, beta2, eps float64 }

func momentsOf(fn nd.Func, alpha *float64, alphaDefault float64, beta1, beta2, eps **float64) *moments {
	return &moments{
		alpha: rateOf(fn, alpha, alphaDefault),
		beta1: fractionOf(fn, "Beta1", beta1, 0.9),
		beta2: fractionOf(fn, "Beta2", beta2, 0.999),
		eps:   nonNegativeOf(fn, "Eps", eps, 1e-8),
	}
}

// update is the text that updates the states for the running mean and mean square of limited gradients.
func (m *moments) update(mean, square string) string {
	return limited + running(m.beta1, mean, "take1", "grad") + "; " + m.updateSquare(square)
}

func (m *moments) updateSquare(square string) string {
	return running(m.beta2, square, "take2", "grad*grad")
}

// running is the text of state ← β·state + (1-β)·added, where 1-β is the scalar take. A step towards the added number takes
// fewer operations than two products, but would lose a number that is much smaller than the state if little of the state
// is kept.
func running(beta float64, state, take, added string) string {
	if beta < 0.5 {
		return fmt.Sprintf("%[1]s = (1 - %[2]s)*%[1]s_old + %[2]s*(%[3]s)", state, take, added)
	}
	return fmt.Sprintf("%[1]s = %[1]s_old + %[2]s*(%[3]s - %[1]s_old)", state, take, added)
}

// momentScalars are the names of the scalars that append adds.
var momentScalars = []string{"take1", "take2", "eps"}

func (m *moments) append(scalars []float64, eps float64) []float64 {
	return append(scalars, 1-m.beta1, 1-m.beta2, eps)
}

func (m *moments) power1(t int) float64 { return math.Pow(m.beta1, float64(t)) }
func (m *moments) power2(t int) float64 { return math.Pow(m.beta2, float64(t)) }

// step returns the learning rate, with Adam's correction √(1-β2ᵗ)/(1-β1ᵗ) if correct.
func (m *moments) step(at Step, correct bool) float64 {
	if !correct {
		return at.LearningRate
	}
	return at.LearningRate * math.Sqrt(1-m.power2(at.T)) / (1 - m.power1(at.T))
}

// corrected returns the corrected step, and the number that is added to the root.
func (m *moments) corrected(at Step, epsOutside bool) (step, eps float64) {
	if epsOutside { // both sides of the paper's quotient, times √(1-β2ᵗ)
		return m.step(at, true), m.eps * math.Sqrt(1-m.power2(at.T))
	}
	return m.step(at, true), m.eps
}
