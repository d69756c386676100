package link

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/report"
)

// Classifier is a predictor, whose parameters are below "predictor", with a loss and an accuracy.
// Chainer: links.Classifier.
type Classifier struct {
	Predictor Layer
	// Predict makes predictions from examples with several inputs. It replaces Predictor, which is then nil:
	//
	//	Predict: func(s *nn.Scope, xs []*nd.Array) *nd.Array { return bilinear.Apply(s, xs[0], xs[1]) }
	Predict func(s *nn.Scope, xs []*nd.Array) *nd.Array
	// Lossfun returns the loss of predictions y and labels t, one number; nil means loss.SoftmaxCrossEntropy with
	// loss.CountMeanReduction: the mean over the labels other than -1, or 0 without any.
	Lossfun func(y, t *nd.Array) *nd.Array
	// Accfun returns the accuracy of predictions, one number; nil means ops.Accuracy.
	Accfun func(y, t *nd.Array) *nd.Array
	// NoAccuracy leaves out the accuracy.
	NoAccuracy bool
}

// Apply returns the predictions.
func (l Classifier) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	if l.Predictor == nil {
		panic(nd.Func("Classifier.Apply").Errorf([]*nd.Array{x}, "no Predictor"))
	}
	return l.Predictor.Apply(s.Sub("predictor"), x)
}

// Loss returns the loss of a batch, the inputs and then the labels. It reports the loss as "loss", and the accuracy as
// "accuracy". If s computes in another dtype than that of the parameters, the predictions are converted to the latter
// first. Loss is a train.LossFunc.
// Chainer: links.Classifier.__call__.
func (l Classifier) Loss(s *nn.Scope, batch []*nd.Array, r *report.Reporter) *nd.Array {
	const fn nd.Func = "Classifier.Loss"
	inputs := len(batch) - 1
	if l.Predictor == nil && l.Predict == nil {
		panic(fn.Errorf(batch, "no Predictor"))
	}
	if inputs < 1 || inputs > 1 && l.Predict == nil {
		panic(fn.Errorf(batch, "a batch of %d arrays: want examples and labels, and a Predict for several inputs", len(batch)))
	}
	fn.Check(batch...)
	for _, x := range batch {
		if x.Rank() == 0 || batch[0].Rank() == 0 || x.Dim(0) != batch[0].Dim(0) {
			panic(fn.Errorf(batch, "want as many labels as examples"))
		}
	}
	t := batch[inputs]
	var y *nd.Array
	if l.Predict != nil {
		y = l.Predict(s.Sub("predictor"), batch[:inputs])
	} else {
		y = l.Apply(s, batch[0])
	}
	if s.ComputeDType() != s.DType() && y.DType() == s.ComputeDType() {
		y = y.AsType(s.DType())
	}
	lossOf, measure := l.Lossfun, l.Accfun
	if lossOf == nil {
		lossOf = func(y, t *nd.Array) *nd.Array {
			defer s.Span("SoftmaxCrossEntropy", y, t)()
			return loss.SoftmaxCrossEntropy(y, t, loss.CrossEntropyOptions{Reduction: loss.CountMeanReduction})
		}
	}
	result := lossOf(y, t)
	r.Report("loss", result)
	if l.NoAccuracy || r == nil {
		return result
	}
	if measure == nil {
		measure = func(y, t *nd.Array) *nd.Array { return ops.Accuracy(y, t) }
	}
	r.Report("accuracy", measure(y.Detach(), t).AsType(dtype.Float32))
	return result
}
