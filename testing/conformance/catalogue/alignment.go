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

// ctcMXNet gives a loss of 0 for labels that have no alignment. Without lengths, the labels end at the first blank
// label.
func ctcMXNet(x, labels, lengths, counts *nd.Array, useLengths, useCounts bool, blank string) *nd.Array {
	o := sequence.CTCLossOptions{ZeroInfinity: true}
	padding := nd.Scalar(0)
	switch blank {
	case "first":
	case "last":
		o.Blank, padding = -1, nd.Scalar(-1)
	default:
		panic(nd.Func("ctc_loss").Errorf([]*nd.Array{x, labels}, "blank_label %q: want first or last", blank))
	}
	whole := func(x *nd.Array) *nd.Array {
		if x == nil {
			panic(nd.Func("ctc_loss").Errorf(nil, "want lengths, since the options use them"))
		}
		return x.Detach().AsType(dtype.Int64)
	}
	labels = whole(labels)
	if useLengths {
		o.InputLengths = whole(lengths)
	}
	if useCounts {
		o.LabelLengths = whole(counts)
	} else if labels.Rank() > 0 {
		unpadded := ops.NotEqual(labels, padding).AsType(dtype.Int64)
		o.LabelLengths = ops.Sum(ops.CumProd(unpadded, ops.Over(-1)), ops.Over(-1))
	}
	return sequence.CTCLoss(x, labels, o)
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
