package catalogue

import (
	"maps"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/report"
)

// named is a dictionary of numbers, as a document writes it.
type named = map[string]any

// observers is the note for observers, whose names get a prefix.
const observers = "an observer is a separate Reporter, made by Sub, and is passed to the code that reports"

// reportRows is the chapter of reported values and their means.
var reportRows = []Row{
	{Signature: "chainer.Reporter(observation)", Func: report.New, NoGrad: true, Note: "fills values that the caller owns"},
	{Signature: "chainer.Reporter.add_observer(self, name, observer)", Func: (*report.Reporter).Sub, Ignores: []string{"observer"}, NoGrad: true, Note: observers},
	{Signature: "chainer.Reporter.add_observers(self, prefix, observers)", Func: (*report.Reporter).Sub, Ignores: []string{"observers"}, NoGrad: true, Note: observers},
	{Signature: "chainer.Reporter.report(self, values, observer=None)", Func: reportAll, NoGrad: true,
		Note: "one name per call; Value takes a number; " + observers},
	{Signature: "chainer.Reporter.scope(observation)", Func: report.New, NoGrad: true, Note: "another Reporter fills other values"},
	{Signature: "chainer.report(values, observer=None)", Func: reportTo, NoGrad: true, Note: "there is no current reporter: observer is a reporter, and a nil one discards the values"},
	{Signature: "chainer.report_scope(observation)", Func: report.New, NoGrad: true, Note: "another Reporter fills other values"},

	{Signature: "chainer.Summary()", Func: func() *report.Summary { return &report.Summary{} }, Note: "the zero value is ready for use"},
	{Signature: "chainer.Summary.add(self, value)", Func: func(self *report.Summary, value *nd.Array) { self.Add(value.Float()) }, NoGrad: true},
	{Signature: "chainer.Summary.compute_mean(self)", Func: (*report.Summary).Mean},
	{Signature: "chainer.Summary.make_statistics(self)", Func: (*report.Summary).Statistics},
	{Signature: "chainer.DictSummary()", Func: func() *report.Summaries { return &report.Summaries{} }, Note: "the zero value is ready for use"},
	{Signature: "chainer.DictSummary.add(self, d)", Func: addAll, NoGrad: true, Note: "report.Values, which holds only numbers"},
	{Signature: "chainer.DictSummary.compute_mean(self)", Func: (*report.Summaries).Means},
	{Signature: "chainer.DictSummary.make_statistics(self)", Func: (*report.Summaries).Statistics},
}

// inOrder calls f for every entry of a dictionary, in the order of the names.
func inOrder(d named, f func(name string, v any)) {
	for _, name := range slices.Sorted(maps.Keys(d)) {
		f(name, d[name])
	}
}

// reportAll reports arrays and numbers under several names. An observer was made by Sub of the same reporter.
func reportAll(self *report.Reporter, values named, observer *report.Reporter) {
	if observer != nil {
		self = observer
	}
	inOrder(values, func(name string, v any) {
		if y, ok := v.(*nd.Array); ok {
			self.Report(name, y)
		} else if x, ok := asFloat(plainNumber(v)); ok {
			self.Value(name, x)
		}
	})
}

func reportTo(values named, observer *report.Reporter) { reportAll(observer, values, nil) }

// addAll adds the numbers in a dictionary and ignores other entries, as the document says.
func addAll(self *report.Summaries, d named) {
	var numbers report.Values
	inOrder(d, func(name string, v any) {
		if y, ok := v.(*nd.Array); ok && y.Rank() == 0 {
			numbers.Set(name, nd.Value[float64](y))
		} else if x, ok := asFloat(plainNumber(v)); ok {
			numbers.Set(name, x)
		}
	})
	self.Add(&numbers)
}
