package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/sequence"
)

// alignmentRows is the chapter of sequence labels.
var alignmentRows = []Row{
	{Signature: "mxnet.npx.ctc_loss(data, label, data_lengths=None, label_lengths=None, use_data_lengths=False, use_label_lengths=False, blank_label='first')",
		Func: ctcMXNet},
	{Signature: "chainer.functions.connectionist_temporal_classification(x, t, blank_symbol, input_length=None, label_length=None, reduce='mean')",
		Func: ctcChainer},
	{Signature: "chainer.functions.crf1d(cost, xs, ys, reduce='mean')", Func: func(cost *nd.Array, xs, ys []*nd.Array, reduce string) *nd.Array {
		return meanOrNo("crf1d", sequence.CRF1D(cost, xs, ys), reduce)
	}},
	{Signature: "chainer.functions.argmax_crf1d(cost, xs)", Func: sequence.ArgMaxCRF1D},
}

// ctcMXNet gives a loss of 0 for labels that have no alignment. Without label_lengths, the blank label, or -1 if that is the
// last one, is padding.
func ctcMXNet(x, labels, lengths, counts *nd.Array, useLengths, useCounts bool, blank string) *nd.Array {
	requireOneOf("ctc_loss", "blank_label", blank, "first", "last")
	o := sequence.CTCLossOptions{ZeroInfinity: true}
	if blank == "last" {
		o.Blank = -1
	}
	if useLengths {
		o.InputLengths = wholeNumbers(lengths)
	}
	if useCounts {
		o.LabelLengths = wholeNumbers(counts)
	} else {
		o.Padding = &o.Blank
	}
	return sequence.CTCLoss(x, wholeNumbers(labels), o)
}

// wholeNumbers converts labels and lengths, which may be floats in MXNet.
func wholeNumbers(x *nd.Array) *nd.Array {
	if x == nil {
		panic(nd.Func("ctc_loss").Errorf(nil, "want lengths, since the options use them"))
	}
	return x.Detach().AsType(dtype.Int64)
}

// ctcChainer takes one array per time step.
func ctcChainer(xs []*nd.Array, labels *nd.Array, blank int, lengths, counts *nd.Array, reduce string) *nd.Array {
	o := sequence.CTCLossOptions{Blank: blank, InputLengths: lengths, LabelLengths: counts}
	return meanOrNo("connectionist_temporal_classification", sequence.CTCLoss(ops.Stack(xs), labels, o), reduce)
}

// meanOrNo reduces the losses of sequences as Chainer does.
func meanOrNo(name string, loss *nd.Array, reduce string) *nd.Array {
	switch reduce {
	case "mean":
		return ops.Mean(loss)
	case "no":
		return loss
	}
	panic(nd.Func(name).Errorf([]*nd.Array{loss}, "reduce %q: want mean or no", reduce))
}
