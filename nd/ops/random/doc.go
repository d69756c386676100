// Package random draws arrays of random numbers from streams. A stream is an explicit argument, made by nd.NewRand. The
// same seed gives the same numbers on every device and with any number of threads.
//
// Distributions of real numbers are float64 unless the options say otherwise. Most of them take one number of the
// stream per element and transform it in one pass, on the device. Gamma, Beta, Poisson, Binomial and Multinomial take
// as many numbers as they need: each element has its own stream, derived from the key and the element's number. A
// WalkerAlias is for a distribution over many numbers that is used repeatedly; Choice would add up its probabilities at
// each call.
//
// Crop, Flip, Shift, Erase and AugmentImage change each sample of a batch by its own draws, for training. Their
// gradients go back to the original elements.
package random
