// Killed tests that files are written atomically: it kills programs that save files, at random times, and loads what they
// leave.
//
//	go run ./testing/killed [-times 200] [-files 20] [-seed 1]
//
// The first programs are trainers (package train), which take a snapshot after every update. Before each snapshot they
// record a hash of the current parameters. After the kill every snapshot must load, and its parameters must be those of one
// recorded update; the next program continues from it. Then other programs save parameters again and again, in every form
// of file: each kill must leave the old file or the new one, whole. Otherwise the exit status is 1.
package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/report"
	"github.com/ndgrad/ndgrad/nn/train"
)

func main() {
	times := flag.Int("times", 200, "number of trainers to kill")
	files := flag.Int("files", 20, "number of programs to kill for each form of file")
	seed := flag.Uint64("seed", 1, "seed of the random kill times")
	child := flag.String("child", "", "train in this `folder` until killed (internal)")
	file := flag.String("file", "", "save files of this name instead (internal)")
	flag.Parse()
	var err error
	switch rng := rand.New(rand.NewPCG(*seed, 0)); {
	case *file != "":
		err = saveOn(*child, *file)
	case *child != "":
		err = trainOn(*child)
	default:
		if *times > 0 {
			err = kill(*times, rng)
		}
		for _, f := range forms() {
			if err == nil && *files > 0 {
				err = killSaving(f, *files, rng)
			}
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "killed:", err)
		os.Exit(1)
	}
}

// training is a trainer and its parameters.
type training struct {
	params *nn.Scope
	*train.Trainer
}

// newTraining returns a training that takes a snapshot after every update, and never ends.
func newTraining(folder string) training {
	params, opt := nn.NewScope(), optim.NewAdam()
	rows := nd.Full([]int{64, 256}, float32(1))
	batches := data.NewLoader(data.NewSampler(64, 8, data.SamplerOptions{Shuffle: nd.NewRand(2)}), data.Rows(rows))
	t := train.New(train.NewUpdater(batches, params, opt, loss, train.UpdaterOptions{Rand: nd.NewRand(1)}), train.At(train.Iteration), folder)
	t.Extend(train.NewLogReport(train.LogReportOptions{Trigger: train.Every(100, train.Iteration)}))
	t.Extend(train.NewSnapshot(train.SnapshotOptions{FileName: checkpoint}), train.Settings{Trigger: train.Every(1, train.Iteration)})
	return training{params, t}
}

func loss(m *nn.Scope, b data.Batch, r *report.Reporter) *nd.Array {
	h := ops.Tanh(nn.Affine(m.Sub("1"), nn.Dropout(m, b[0], 0.5), 256))
	loss := ops.Mean(ops.Square(nn.Affine(m.Sub("2"), h, 64)))
	r.Report("loss", loss)
	return loss
}

// hash returns a hash of the current parameters.
func (t training) hash() string {
	h := sha256.New()
	for name, p := range t.params.All() {
		fmt.Fprintln(h, name, nd.ToSlice[float32](p.Value()))
	}
	return fmt.Sprintf("%d %x", t.Iteration(), h.Sum(nil))
}

// The files in the folder: the snapshot, the hashes, and the trainer's log.
const (
	checkpoint = "model.npz"
	hashes     = "hashes"
	trainerLog = "log"
)

// trainOn trains forever, starting from the folder's snapshot.
func trainOn(folder string) error {
	t := newTraining(folder)
	if err := archive.Load(filepath.Join(folder, checkpoint), t.Trainer); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(filepath.Join(folder, hashes), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	t.Extend(train.Func(func(*train.Trainer) error {
		_, err := fmt.Fprintln(f, t.hash())
		return err
	}))
	return t.Run(context.Background())
}

// kill runs programs in one folder, one after the other.
func kill(times int, rng *rand.Rand) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "killed")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	found, last := 0, 0
	for k := range times {
		if err := killed(exec.Command(program, "-child", folder), time.Duration(20+rng.IntN(180))*time.Millisecond); err != nil {
			return fmt.Errorf("program %d: %w", k, err)
		}
		m := newTraining(folder)
		switch err := archive.Load(filepath.Join(folder, checkpoint), m.Trainer); {
		case errors.Is(err, fs.ErrNotExist) && found == 0: // killed before the first update
			continue
		case err != nil:
			return fmt.Errorf("after program %d: %w", k, err)
		}
		found++
		if m.Iteration() < last {
			return fmt.Errorf("after program %d the checkpoint is of update %d, want at least %d", k, m.Iteration(), last)
		}
		if last = m.Iteration(); !noted(folder, m.hash()) {
			return fmt.Errorf("after program %d the checkpoint's parameters match no update", k)
		}
	}
	left, err := leftovers(folder)
	if err != nil {
		return err
	}
	fmt.Printf("%d programs killed, %d checkpoints loaded, %d updates in all; %d temporary files left over\n", times, found, last, left)
	if found == 0 {
		return errors.New("no program saved a checkpoint: want longer run times")
	}
	return nil
}

// killed runs a program, and kills it after the given time.
func killed(c *exec.Cmd, after time.Duration) error {
	c.Stderr = os.Stderr
	if err := c.Start(); err != nil {
		return err
	}
	time.Sleep(after)
	if err := c.Process.Kill(); err != nil {
		return err
	}
	if err := c.Wait(); c.ProcessState.Exited() {
		return fmt.Errorf("it ended before it was killed: %w", err)
	}
	return nil
}

// noted reports whether a program recorded the hash.
func noted(folder, hash string) bool {
	f, err := os.Open(filepath.Join(folder, hashes))
	if err != nil {
		return false
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if lines.Text() == hash {
			return true
		}
	}
	return false
}

// leftovers counts the files of interrupted saves. None of them may have the name of a checkpoint.
func leftovers(folder string) (int, error) {
	entries, err := os.ReadDir(folder)
	n := 0
	for _, e := range entries {
		if name := e.Name(); name != hashes && name != checkpoint && name != trainerLog {
			n++
			if strings.HasSuffix(name, ".npz") && !strings.HasPrefix(name, ".") {
				return n, fmt.Errorf("%s looks like a checkpoint", name)
			}
		}
	}
	return n, err
}
