package data

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// cifarPixels is the number of values of an image: 3 channels of 32 rows and 32 columns.
const cifarPixels = 3 * 32 * 32

// LoadCIFAR10 reads the training or the test part of CIFAR-10 from a folder with the files of its binary version,
// data_batch_1.bin to data_batch_5.bin and test_batch.bin: images (n, 3, 32, 32) of uint8 and labels (n) of int64, from
// 0 to 9. [Pixels] converts the images to inputs of networks.
// Chainer: datasets.get_cifar10.
func LoadCIFAR10(folder string, train bool) (images, labels *nd.Array, err error) {
	names := []string{"test_batch"}
	if train {
		names = []string{"data_batch_1", "data_batch_2", "data_batch_3", "data_batch_4", "data_batch_5"}
	}
	c := cifar{"data.LoadCIFAR10", "CIFAR-10", "cifar-10-binary.tar.gz", []int{10}, 0}
	return c.load(folder, names)
}

// CIFAR100Options are the options of [LoadCIFAR100].
type CIFAR100Options struct {
	// Coarse returns the superclasses, from 0 to 19, as labels. Without it labels are the classes.
	Coarse bool
}

// LoadCIFAR100 reads the training or the test part of CIFAR-100 from a folder with the files of its binary version,
// train.bin and test.bin: images (n, 3, 32, 32) of uint8 and labels (n) of int64, from 0 to 99. [Pixels] converts the
// images to inputs of networks.
// Chainer: datasets.get_cifar100.
func LoadCIFAR100(folder string, train bool, opts ...CIFAR100Options) (images, labels *nd.Array, err error) {
	const fn nd.Func = "data.LoadCIFAR100"
	c := cifar{fn, "CIFAR-100", "cifar-100-binary.tar.gz", []int{20, 100}, 1}
	if options.Read(fn, opts).Coarse {
		c.wanted = 0
	}
	if train {
		return c.load(folder, []string{"train"})
	}
	return c.load(folder, []string{"test"})
}

// cifar is one of the two sets.
type cifar struct {
	fn      nd.Func
	set     string
	archive string
	classes []int // the number of classes for each label before an image
	wanted  int   // the index of the label to return
}

func (c cifar) load(folder string, names []string) (images, labels *nd.Array, err error) {
	var xs, ts []*nd.Array
	for _, name := range names {
		x, t, err := c.loadFile(folder, name)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", c.fn, err)
		}
		xs, ts = append(xs, x), append(ts, t)
	}
	return ops.Concatenate(xs, ops.Over(0)), ops.Concatenate(ts, ops.Over(0)), nil
}

// loadFile reads a file of the binary version.
func (c cifar) loadFile(folder, name string) (images, labels *nd.Array, err error) {
	path := filepath.Join(folder, name+".bin")
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		found := ""
		if _, err := os.Stat(filepath.Join(folder, name)); err == nil {
			found = fmt.Sprintf(" (%s is a file of the Python version)", name)
		}
		return nil, nil, fmt.Errorf("%s has no %s.bin%s: fetch the binary version of %s, %s, from https://www.cs.toronto.edu/~kriz/cifar.html and unpack it: %w",
			folder, name, found, c.set, c.archive, err)
	}
	if err != nil {
		return nil, nil, err
	}
	if images, labels, err = c.parse(raw); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return images, labels, nil
}

// parse reads records, each with labels and an image.
func (c cifar) parse(raw []byte) (images, labels *nd.Array, err error) {
	record := len(c.classes) + cifarPixels
	n := len(raw) / record
	if n == 0 || len(raw)%record != 0 {
		return nil, nil, fmt.Errorf("%d bytes: want records of %d: %w", len(raw), record, io.ErrUnexpectedEOF)
	}
	pixels, classes := make([]byte, 0, n*cifarPixels), make([]int, n)
	for i := range n {
		r := raw[i*record : (i+1)*record]
		for k, most := range c.classes {
			if int(r[k]) >= most {
				return nil, nil, fmt.Errorf("label %d of image %d: %s has %d", r[k], i, c.set, most)
			}
		}
		classes[i] = int(r[c.wanted])
		pixels = append(pixels, r[len(c.classes):]...)
	}
	return nd.FromSlice(pixels, n, 3, 32, 32), nd.FromSlice(classes).AsType(dtype.Int64), nil
}
