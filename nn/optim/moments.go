package optim

import (
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

// Names of the states for the running mean and mean square.
const (
	momentBody        = limited + meanBody + "; " + squareBody
	largestMomentBody = limited + largestMeanBody + "; " + largestSquareBody

	meanBody          = "mean = keep1*mean_old + take1*grad"
	squareBody        = "var = keep2*var_old + take2*grad*grad"
	largestMeanBody   = "m = keep1*m_old + take1*grad"
	largestSquareBody = "v = keep2*v_old + take2*grad*grad; v_hat = max(v_hat_old, v)"
)

// momentScalars are the names of the scalars that append adds.
var momentScalars = []string{"keep1", "take1", "keep2", "take2", "eps"}

func (m *moments) append(scalars []float64, eps float64) []float64 {
	return append(scalars, m.beta1, 1-m.beta1, m.beta2, 1-m.beta2, eps)
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
