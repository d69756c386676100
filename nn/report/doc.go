// Package report collects named numbers while a model runs, such as a loss and an accuracy, and their means.
//
// A part of a model gets a [Reporter], which puts the part's name before the names of its values:
//
//	var observed report.Values
//	r := report.New(&observed).Sub("main")
//	r.Report("loss", loss) // "main/loss"
//
// A nil Reporter ignores all values, so that a model need not check whether anybody collects them.
package report
