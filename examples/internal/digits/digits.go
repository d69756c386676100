// Package digits has the images of handwritten digits that the examples learn from: 1,797 of 8×8 pixels, the test part of "Optical
// Recognition of Handwritten Digits" by E. Alpaydin and C. Kaynak, UCI Machine Learning Repository (1998),
// https://doi.org/10.24432/C50P49, licensed under CC BY 4.0. The rows of digits.csv.gz are unchanged: the 64 pixels of an image, from
// 0 to 16, and its label.
package digits

import (
	"bytes"
	"compress/gzip"
	_ "embed" // the images
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// The format of an image, and the number of digits.
const (
	Side    = 8 // of an image, in pixels
	Pixels  = Side * Side
	Classes = 10
)

const (
	brightest = 16
	maxRows   = 100_000

	testImages = 360
	splitSeed  = 1 // the split does not depend on the seed of the training: stored parameters are tested on unseen images
)

//go:embed digits.csv.gz
var compressed []byte

// Images are examples: X (n, 64) from 0 to 1, and their labels (n).
type Images struct{ X, Labels *nd.Array }

// Count returns the number of images.
func (im Images) Count() int { return im.X.Dim(0) }

// To returns the images on a device.
func (im Images) To(dev device.Device) Images { return Images{im.X.To(dev), im.Labels.To(dev)} }

// Rows returns the images at the given indices.
func (im Images) Rows(indices []int) Images {
	at := nd.FromSliceOn(im.X.Device(), indices)
	defer at.Release()
	first := ops.Over(0)
	return Images{X: ops.Take(im.X, at, first), Labels: ops.Take(im.Labels, at, first)}
}

// Load returns 1,437 training images and 360 test images, always the same ones, shuffled: the file is ordered by
// writer.
func Load() (train, test Images, err error) {
	r, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return Images{}, Images{}, err
	}
	all, err := parse(r)
	if err != nil {
		return Images{}, Images{}, err
	}
	order := nd.NewRand(splitSeed).Perm(all.Count())
	return all.Rows(order[testImages:]), all.Rows(order[:testImages]), nil
}

// parse reads rows of 64 pixels and a label.
func parse(r io.Reader) (Images, error) {
	in := csv.NewReader(r)
	in.FieldsPerRecord = Pixels + 1
	in.ReuseRecord = true
	var x []float32
	var labels []int
	for {
		record, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return Images{}, err
		}
		if len(labels) == maxRows {
			return Images{}, fmt.Errorf("more than %d rows", maxRows)
		}
		for k, field := range record {
			limit := brightest
			if k == Pixels {
				limit = Classes - 1
			}
			v, err := strconv.Atoi(field)
			if err != nil || v < 0 || v > limit {
				line, column := in.FieldPos(k)
				return Images{}, fmt.Errorf("line %d, column %d: %.20q: want a whole number from 0 to %d", line, column, field, limit)
			}
			if k == Pixels {
				labels = append(labels, v)
			} else {
				x = append(x, float32(v)/brightest)
			}
		}
	}
	if len(labels) == 0 {
		return Images{}, errors.New("no rows")
	}
	return Images{X: nd.FromSlice(x, len(labels), Pixels), Labels: nd.FromSlice(labels)}, nil
}
