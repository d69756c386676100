// Package chainerfiles tests this library with files that Chainer wrote: saved models and optimizers, training runs
// with their snapshots and logs, a language model and convolutional networks. It contains only tests, which skip if the
// files are missing.
package chainerfiles
