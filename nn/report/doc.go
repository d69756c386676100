// Package report collects named numbers while a model runs, such as a loss and an accuracy, and their means.
//
// A part of a model is given a [Reporter], which puts the part's name before what it reports:
//
//	var observed report.Values
//	r := report.New(&observed).Sub("main")
//	r.Report("loss", loss) // "main/loss"
//
// A nil Reporter forgets what it is told, so that a model need not ask whether anybody wants to know.
package report
