package main

import (
	"bytes"
	"compress/gzip"
	_ "embed" // the images
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

const (
	side      = 8 // of an image, in pixels
	pixels    = side * side
	brightest = 16
	classes   = 10
	maxRows   = 100_000

	testImages = 360
	splitSeed  = 1 // the same split whatever the seed of the training: stored parameters are tested on unseen images
)

//go:embed digits.csv.gz
var compressed []byte

// images are examples: x (n, 64) from 0 to 1, and their labels (n).
type images struct{ x, labels *nd.Array }

func (im images) count() int { return im.x.Dim(0) }

// rows returns the images at the given places.
func (im images) rows(places []int) images {
	at := nd.FromSlice(places)
	defer at.Release()
	first := ops.Over(0)
	return images{x: ops.Take(im.x, at, first), labels: ops.Take(im.labels, at, first)}
}

// embedded returns the images to train on and those to test, shuffled: the file is ordered by writer.
func embedded() (train, test images, err error) {
	r, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return images{}, images{}, err
	}
	all, err := parse(r)
	if err != nil {
		return images{}, images{}, err
	}
	order := nd.NewRand(splitSeed).Perm(all.count())
	return all.rows(order[testImages:]), all.rows(order[:testImages]), nil
}

// parse reads rows of 64 pixels and a label.
func parse(r io.Reader) (images, error) {
	in := csv.NewReader(r)
	in.FieldsPerRecord = pixels + 1
	in.ReuseRecord = true
	var x []float32
	var labels []int
	for {
		record, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return images{}, err
		}
		if len(labels) == maxRows {
			return images{}, fmt.Errorf("more than %d rows", maxRows)
		}
		for k, field := range record {
			limit := brightest
			if k == pixels {
				limit = classes - 1
			}
			v, err := strconv.Atoi(field)
			if err != nil || v < 0 || v > limit {
				line, column := in.FieldPos(k)
				return images{}, fmt.Errorf("line %d, column %d: %.20q: want a whole number from 0 to %d", line, column, field, limit)
			}
			if k == pixels {
				labels = append(labels, v)
			} else {
				x = append(x, float32(v)/brightest)
			}
		}
	}
	if len(labels) == 0 {
		return images{}, errors.New("no rows")
	}
	return images{x: nd.FromSlice(x, len(labels), pixels), labels: nd.FromSlice(labels)}, nil
}
