// Package chainerfiles holds this library to the files that Chainer wrote: saved models and optimizers, whole trainings with their
// snapshots and logs, a language model and convolutional networks. It has tests only, which skip where the files are not.
package chainerfiles
