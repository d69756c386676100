package train

import (
	"github.com/ndgrad/ndgrad/nn/optim"
)

// Attribute is a number that extensions move while a training runs. What an optimizer's documented name of one is, such as "lr", is a
// pair of functions here.
type Attribute struct {
	Get func() float64
	Set func(value float64)
}

// LearningRate is that of an optimizer.
func LearningRate(o *optim.Optimizer) Attribute {
	return Attribute{Get: o.LearningRate, Set: o.SetLearningRate}
}
