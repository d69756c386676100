// Package sequence holds functions of sequences: recurrent layers (Elman's network, LSTM, GRU) in the layouts of weights
// that the documented systems have, single steps of an LSTM, packing and padding of sequences of different lengths, and
// masks along time. Everything is made of functions of package ops, and differentiable to any order.
package sequence
