package train

import (
	"github.com/ndgrad/ndgrad/nn/optim"
)

// Attribute is a number that extensions change during a training. Chainer names an attribute of an optimizer, such as
// "lr"; here it is a pair of functions.
type Attribute struct {
	Get func() float64
	Set func(value float64)
}

// LearningRate is the learning rate of an optimizer.
func LearningRate(o *optim.Optimizer) Attribute {
	return Attribute{Get: o.LearningRate, Set: o.SetLearningRate}
}
