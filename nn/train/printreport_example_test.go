package train_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/link"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/train"
)

// A rate is halved after each epoch, and printed beside the loss.
func ExampleNewPrintReport() {
	folder, err := os.MkdirTemp("", "train")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)

	x, labels := nd.Arange(-1, 1, 0.25).Reshape(-1, 1), nd.FromSlice([]int{0, 0, 0, 0, 1, 1, 1, 1})
	batches := data.NewLoader(data.NewSampler(8, 4), data.Rows(x, labels))
	opt := optim.NewSGD(optim.SGDOptions{LR: 2})
	model := link.Classifier{Predictor: link.Linear{OutSize: 2}}
	updater := train.NewUpdater(batches, nn.NewScope(), opt, model.Loss)

	trainer := train.New(updater, train.Every(3, train.Epoch), filepath.Join(folder, "result"))
	trainer.Extend(train.ObserveLR(opt))
	trainer.Extend(train.NewExponentialShift(train.LearningRate(opt), 0.5), train.Settings{Trigger: train.Every(1, train.Epoch)})
	log := train.NewLogReport()
	trainer.Extend(log)
	trainer.Extend(train.NewPrintReport(log, "epoch", "iteration", "lr"))
	fmt.Println(trainer.Run(context.Background()))
	// Output:
	// epoch       iteration   lr
	// 1           2           2
	// 2           4           1
	// 3           6           0.5
	// <nil>
}
