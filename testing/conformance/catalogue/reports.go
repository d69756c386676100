package catalogue

import (
	"maps"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/report"
)

// named is what a document writes as a dictionary of numbers.
type named = map[string]any

// observers have the prefixes that names have been given.
const observers = "an observer is a Reporter of its own, which Sub makes: it is an argument of what reports"

// reportRows is the chapter of what is reported, and of its means.
var reportRows = []Row{
	{Signature: "chainer.Reporter(observation)", Func: report.New, NoGrad: true, Note: "it fills values that the caller has"},
	{Signature: "chainer.Reporter.add_observer(self, name, observer)", Func: (*report.Reporter).Sub, Ignores: []string{"observer"}, NoGrad: true, Note: observers},
	{Signature: "chainer.Reporter.add_observers(self, prefix, observers)", Func: (*report.Reporter).Sub, Ignores: []string{"observers"}, NoGrad: true, Note: observers},
	{Signature: "chainer.Reporter.report(self, values, observer=None)", Func: reportAll, NoGrad: true,
		Note: "one name a call; a number by Value. " + observers},
	{Signature: "chainer.Reporter.scope(observation)", Func: report.New, NoGrad: true, Note: "another Reporter fills other values"},
	{Signature: "chainer.report(values, observer=None)", Func: reportTo, NoGrad: true, Note: "there is no current reporter: observer is one, and a nil one forgets"},
	{Signature: "chainer.report_scope(observation)", Func: report.New, NoGrad: true, Note: "another Reporter fills other values"},

	{Signature: "chainer.Summary()", Func: func() *report.Summary { return &report.Summary{} }, Note: "its zero value"},
	{Signature: "chainer.Summary.add(self, value)", Func: (*report.Summary).Add, NoGrad: true},
	{Signature: "chainer.Summary.compute_mean(self)", Func: (*report.Summary).Mean},
	{Signature: "chainer.Summary.make_statistics(self)", Func: (*report.Summary).Statistics},
	{Signature: "chainer.DictSummary()", Func: func() *report.Summaries { return &report.Summaries{} }, Note: "its zero value"},
	{Signature: "chainer.DictSummary.add(self, d)", Func: addAll, NoGrad: true, Note: "report.Values; what is no number has no place in them"},
	{Signature: "chainer.DictSummary.compute_mean(self)", Func: (*report.Summaries).Means},
	{Signature: "chainer.DictSummary.make_statistics(self)", Func: (*report.Summaries).Statistics},
}

// reportAll reports arrays and numbers of several names. An observer is one that Sub made of the same reporter.
func reportAll(self *report.Reporter, values named, observer *report.Reporter) {
	if observer != nil {
		self = observer
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		switch v := values[name].(type) {
		case *nd.Array:
			self.Report(name, v)
		default:
			if x, ok := asFloat(plain(v)); ok {
				self.Value(name, x)
			}
		}
	}
}

func reportTo(values named, observer *report.Reporter) { reportAll(observer, values, nil) }

// addAll adds the numbers among the entries of a dictionary; the document leaves others out.
func addAll(self *report.Summaries, d named) {
	var v report.Values
	for _, name := range slices.Sorted(maps.Keys(d)) {
		if x, ok := d[name].(*nd.Array); ok && x.Rank() == 0 {
			v.Set(name, nd.Value[float64](x))
		} else if x, ok := asFloat(plain(d[name])); ok {
			v.Set(name, x)
		}
	}
	self.Add(&v)
}
