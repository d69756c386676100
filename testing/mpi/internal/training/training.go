// Package training has the trainings of testing/mpi: LeNet on the digits, and the transformer of charlm on Newton's Opticks.
package training

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/comm"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/train"
)

// Settings are what a training needs beside its ranks.
type Settings struct {
	Model   string // lenet or transformer
	Data    string // the folder of the examples' data, examples/internal
	Out     string // the folder for snapshots
	Parts   int    // batches of an update, which ranks and their goroutines share
	Updates int
	Every   int  // updates from snapshot to snapshot
	Sync    bool // LeNet normalises over the batches of all ranks
	Sharded bool
	Alone   bool // the update is that of train.NewUpdater: no ranks, no goroutines
}

// batchSize is the number of images of a batch, or of pieces of the text.
var batchSize = map[string]int{"lenet": 64, "transformer": 32}

// New returns the trainer of a rank, with prefetching, dropout and snapshots. It reads the same data on all ranks.
func New(c *comm.Communicator, s Settings) (*train.Trainer, error) {
	if s.Parts%c.Size() != 0 {
		return nil, fmt.Errorf("%d parts: want a multiple of %d ranks", s.Parts, c.Size())
	}
	load, loss := digits, lenet(s.Sync)
	if s.Model == "transformer" {
		load, loss = text, transformer
	} else if s.Model != "lenet" {
		return nil, fmt.Errorf("model %q: want lenet or transformer", s.Model)
	}
	x, y, err := load(s.Data)
	if err != nil {
		return nil, err
	}
	rng, goroutines := nd.NewRand(1), s.Parts/c.Size()
	sampler := data.NewSampler(x.Dim(0), batchSize[s.Model],
		data.SamplerOptions{Shuffle: rng.Split(), Rank: c.Rank(), Size: c.Size(), Goroutines: goroutines})
	batches := data.NewPrefetcher(sampler, 1, 2*goroutines, data.Rows(x, y))
	params := nn.NewScope(nn.ScopeOptions{Rand: rng.Split()})
	o := train.UpdaterOptions{Rand: rng.Split()}
	var u train.Updater
	if s.Alone {
		u = train.NewUpdater(batches, params, optim.NewAdam(), loss, o)
	} else {
		u = train.NewDistributed(c, batches, params, optim.NewAdam(), loss,
			train.DistributedOptions{UpdaterOptions: o, Goroutines: goroutines, Sharded: s.Sharded})
	}
	t := train.New(u, train.Every(float64(s.Updates), train.Iteration), s.Out)
	if s.Every > 0 {
		t.Extend(train.NewSnapshot(), train.Settings{Trigger: train.Every(float64(s.Every), train.Iteration)})
	}
	return t, nil
}

// unpack returns the content of a compressed file.
func unpack(path string) (io.Reader, func() error, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	r, err := gzip.NewReader(f)
	return r, f.Close, err
}

// digits returns images (n, 1, 8, 8) and labels (n): a row of the file has the pixels, from 0 to 16, and the label.
func digits(folder string) (x, y *nd.Array, err error) {
	r, done, err := unpack(filepath.Join(folder, "digits", "digits.csv.gz"))
	if err != nil {
		return nil, nil, err
	}
	defer done()
	rows, err := csv.NewReader(r).ReadAll()
	if err != nil {
		return nil, nil, err
	}
	const pixels = 64
	var values []float32
	var labels []int
	for _, row := range rows {
		for i, field := range row {
			n, err := strconv.Atoi(field)
			switch {
			case err != nil:
				return nil, nil, err
			case i < pixels:
				values = append(values, float32(n)/16)
			default:
				labels = append(labels, n)
			}
		}
	}
	return nd.FromSlice(values, len(rows), 1, 8, 8), nd.FromSlice(labels), nil
}

// text returns pieces of the text (n, span), and the character that follows each of their characters.
func text(folder string) (x, y *nd.Array, err error) {
	r, done, err := unpack(filepath.Join(folder, "opticks", "opticks.txt.gz"))
	if err != nil {
		return nil, nil, err
	}
	defer done()
	raw, err := io.ReadAll(r)
	if err != nil {
		return nil, nil, err
	}
	for i := range raw {
		raw[i] &= alphabet - 1
	}
	n := (len(raw) - 1) / span
	pieces := func(from int) *nd.Array { return nd.FromSlice(raw[from:from+n*span], n, span).AsType(dtype.Int64) }
	return pieces(0), pieces(1), nil
}

// Checksum returns a checksum of all that a snapshot has, apart from times.
func Checksum(path string) (string, error) {
	named, err := nd.LoadNpz(path)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	for _, n := range named {
		if !strings.Contains(n.Name, "elapsed") {
			fmt.Fprintln(sum, n.Name, n.Array.DType(), n.Array.Shape(), nd.ToSlice[uint8](n.Array.Ravel().View(dtype.Uint8)))
		}
	}
	return fmt.Sprintf("%x", sum.Sum(nil)[:8]), nil
}

// SnapshotOf returns the path of a snapshot.
func (s Settings) SnapshotOf(update int) string {
	return filepath.Join(s.Out, fmt.Sprint("snapshot_iter_", update))
}
