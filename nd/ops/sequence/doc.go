// Package sequence holds functions of sequences: recurrent layers (Elman's network, LSTM, GRU) in the weight layouts of
// the documented systems, single steps of an LSTM, packing and padding of sequences of different lengths, and masks
// along time. Everything is composed of functions of package ops, and differentiable to any order.
package sequence
