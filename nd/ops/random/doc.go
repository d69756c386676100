// Package random draws arrays of random numbers from streams: a stream is an explicit argument, made by nd.NewRand, and
// the same seed gives the same numbers on every device and with any number of threads.
//
// Distributions of real numbers are float64 unless the options say otherwise. Most of them take one number of the stream
// for an element and transform it in one pass, on the device. Gamma, Beta, Poisson, Binomial and Multinomial take as many
// as they need: each element has a stream of its own, made of the key and of its number. A WalkerAlias draws from a distribution
// of many numbers that is used again and again, which Choice would add up each time.
//
// Crop, Flip, Shift, Erase and AugmentImage change each sample of a batch by draws of its own, for training; their gradients go
// back as the samples came.
package random
