// Killed tries whether checkpoints appear whole or not at all: it kills programs that train and save, at random times, and loads what they
// left on disk.
//
//	go run ./testing/killed [-times 200] [-seed 1]
//
// Each program saves after every update and notes, before it saves, a hash of the parameters as they are then. Every file that is there when it was
// killed must load, and its parameters must be those of one noted update; the next program goes on from it. The exit status is 1 where
// that is not so.
package main

import (
	"bufio"
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
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/archive"
)

func main() {
	times := flag.Int("times", 200, "how many programs are killed")
	seed := flag.Uint64("seed", 1, "seed of the times at which they are")
	child := flag.String("child", "", "train in this `folder` until killed; for the command's own use")
	flag.Parse()
	var err error
	if *child != "" {
		err = train(*child)
	} else {
		err = kill(*times, rand.New(rand.NewPCG(*seed, 0)))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "killed:", err)
		os.Exit(1)
	}
}

// model is what is trained and saved.
type model struct {
	params *nn.Scope
	opt    *nn.Optimizer
	rng    *nd.Rand
	update int
}

func newModel() *model {
	return &model{params: nn.NewScope(), opt: nn.NewAdam(), rng: nd.NewRand(1)}
}

// Archive implements archive.Object.
func (m *model) Archive(a *archive.Archive) {
	a.Object("params", m.params)
	a.Object("opt", m.opt.Of(m.params))
	a.Object("rng", archive.Stream(m.rng))
	a.Int("update", &m.update)
}

// hash tells the parameters of an update.
func (m *model) hash() string {
	h := sha256.New()
	for name, p := range m.params.All() {
		fmt.Fprintln(h, name, nd.ToSlice[float32](p.Value()))
	}
	return fmt.Sprintf("%d %x", m.update, h.Sum(nil))
}

// checkpoint and log are the files in the folder.
func checkpoint(folder string) string { return filepath.Join(folder, "model.npz") }
func log(folder string) string        { return filepath.Join(folder, "log") }

// train goes on from the folder's checkpoint, and saves after every update, for ever.
func train(folder string) error {
	m := newModel()
	if err := archive.Load(checkpoint(folder), m); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(log(folder), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	x := nd.Full([]int{8, 256}, float32(1))
	tape := grad.NewTape()
	for {
		p := m.params.Watch(tape, nn.WatchOptions{Rand: m.rng})
		h := ops.Tanh(nn.Affine(p.Sub("1"), nn.Dropout(p, x, 0.5), 256))
		m.opt.Update(p.Gradients(ops.Mean(ops.Square(nn.Affine(p.Sub("2"), h, 64)))))
		tape.Reset()
		m.update++
		if _, err := fmt.Fprintln(f, m.hash()); err != nil {
			return err
		}
		if err := archive.Save(checkpoint(folder), m); err != nil {
			return err
		}
	}
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
		c := exec.Command(program, "-child", folder)
		c.Stderr = os.Stderr
		if err := c.Start(); err != nil {
			return err
		}
		time.Sleep(time.Duration(20+rng.IntN(180)) * time.Millisecond)
		if err := c.Process.Kill(); err != nil {
			return fmt.Errorf("program %d ended by itself: %w", k, err)
		}
		_ = c.Wait()
		m := newModel()
		switch err := archive.Load(checkpoint(folder), m); {
		case errors.Is(err, fs.ErrNotExist) && found == 0: // killed before the first update
			continue
		case err != nil:
			return fmt.Errorf("after program %d: %w", k, err)
		}
		found++
		if m.update < last {
			return fmt.Errorf("after program %d the checkpoint is of update %d: there was one of %d", k, m.update, last)
		}
		if last = m.update; !noted(folder, m.hash()) {
			return fmt.Errorf("after program %d the checkpoint's parameters are those of no update", k)
		}
	}
	left, err := leftovers(folder)
	if err != nil {
		return err
	}
	fmt.Printf("%d programs killed, %d checkpoints loaded, %d updates in all; %d temporary files left over\n", times, found, last, left)
	if found == 0 {
		return errors.New("no program came to save: give them more time")
	}
	return nil
}

// noted reports whether a program noted the hash.
func noted(folder, hash string) bool {
	f, err := os.Open(log(folder))
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

// leftovers counts the files of saves that were cut off. None of them has the name of a checkpoint.
func leftovers(folder string) (int, error) {
	entries, err := os.ReadDir(folder)
	n := 0
	for _, e := range entries {
		if name := e.Name(); name != "log" && name != "model.npz" {
			n++
			if strings.HasSuffix(name, ".npz") && !strings.HasPrefix(name, ".") {
				return n, fmt.Errorf("%s looks like a checkpoint", name)
			}
		}
	}
	return n, err
}
