// Package train runs a training: updates, and extensions between them.
//
//	updater := train.NewUpdater(batches, params, optim.NewAdam(), model.Loss)
//	trainer := train.New(updater, train.Every(20, train.Epoch), "result")
//	trainer.Extend(train.NewEvaluator(tests, params, model.Loss))
//	log := train.NewLogReport()
//	trainer.Extend(log)
//	trainer.Extend(train.NewPrintReport(log, "epoch", "main/loss", "validation/main/accuracy"))
//	trainer.Extend(train.NewSnapshot())
//	err := trainer.Run(ctx)
//
// An [Updater] makes one update of a model, an [Extension] acts between updates, and a [Trigger] says when. A snapshot
// of the trainer is a file of package archive with the state of all of them. A training that was stopped, at any
// update, resumes from it, and ends with the same bits as without the stop.
package train
