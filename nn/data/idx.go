package data

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// LoadIDX reads a file in the IDX format, the format of MNIST and similar sets, gzipped or not: a big-endian array of
// uint8, int8, int16, int32, float32 or float64.
func LoadIDX(path string) (*nd.Array, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	x, err := ReadIDX(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return x, nil
}

// ReadIDX is LoadIDX from a reader, up to its end. It does not trust the sizes in the header: it allocates memory as
// data arrive.
func ReadIDX(r io.Reader) (*nd.Array, error) {
	in := bufio.NewReader(r)
	if magic, _ := in.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, fmt.Errorf("data.ReadIDX: %w", err)
		}
		in = bufio.NewReader(z)
	}
	x, err := readIDX(in)
	if err != nil {
		return nil, fmt.Errorf("data.ReadIDX: %w", err)
	}
	return x, nil
}

func readIDX(in io.Reader) (*nd.Array, error) {
	var head struct {
		Zero       uint16
		Type, Rank uint8
	}
	if err := binary.Read(in, binary.BigEndian, &head); err != nil {
		return nil, fmt.Errorf("the header: %w", err)
	}
	size := elementSize(head.Type)
	if head.Zero != 0 || size == 0 {
		return nil, fmt.Errorf("no IDX file: it begins with % x", []byte{byte(head.Zero >> 8), byte(head.Zero), head.Type, head.Rank})
	}
	shape, bytes := make([]int, head.Rank), size
	for k := range shape {
		var n uint32
		if err := binary.Read(in, binary.BigEndian, &n); err != nil {
			return nil, fmt.Errorf("the lengths of %d axes: %w", head.Rank, err)
		}
		shape[k] = int(n)
		bytes = broadcast.Product(bytes, shape[k])
	}
	if err := broadcast.CheckShape(shape); err != nil || bytes == math.MaxInt {
		return nil, fmt.Errorf("shape %s: too large", broadcast.FormatShape(shape))
	}
	raw, err := io.ReadAll(io.LimitReader(in, int64(bytes)))
	if err != nil {
		return nil, err
	}
	if len(raw) < bytes {
		return nil, fmt.Errorf("%d of the %d bytes of shape %s: %w", len(raw), bytes, broadcast.FormatShape(shape), io.ErrUnexpectedEOF)
	}
	if n, err := in.Read(make([]byte, 1)); n > 0 || !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("more data than shape %s needs: %w", broadcast.FormatShape(shape), err)
	}
	return elements(head.Type, raw, shape), nil
}

// elementSize returns the number of bytes of an element of a type, or 0 for an unknown type.
func elementSize(t uint8) int {
	switch t {
	case 0x08, 0x09:
		return 1
	case 0x0b:
		return 2
	case 0x0c, 0x0d:
		return 4
	case 0x0e:
		return 8
	}
	return 0
}

func elements(t uint8, raw []byte, shape []int) *nd.Array {
	switch t {
	case 0x09:
		return decoded[int8](raw, shape)
	case 0x0b:
		return decoded[int16](raw, shape)
	case 0x0c:
		return decoded[int32](raw, shape)
	case 0x0d:
		return decoded[float32](raw, shape)
	case 0x0e:
		return decoded[float64](raw, shape)
	}
	return nd.FromSlice(raw, shape...).Reshape(shape...)
}

func decoded[T dtype.Element](raw []byte, shape []int) *nd.Array {
	data := make([]T, broadcast.Size(shape))
	_, _ = binary.Decode(raw, binary.BigEndian, data) // raw has exactly the bytes of data
	return nd.FromSlice(data, shape...).Reshape(shape...)
}

// LoadMNIST reads the training or the test part of a set in the format of MNIST from a folder: images (n, height,
// width) of uint8 and labels (n) of int64. The files, such as train-images-idx3-ubyte, may end in .gz; Debian's package
// dataset-fashion-mnist has such a set in /usr/share/datasets/fashion-mnist. [Pixels] converts the images to inputs of
// networks.
// Chainer: datasets.get_mnist.
func LoadMNIST(folder string, train bool) (images, labels *nd.Array, err error) {
	part := "t10k"
	if train {
		part = "train"
	}
	if images, err = loadOneOf(folder, part+"-images", "idx3-ubyte"); err == nil {
		labels, err = loadOneOf(folder, part+"-labels", "idx1-ubyte")
	}
	if err != nil {
		return nil, nil, fmt.Errorf("data.LoadMNIST: %w", err)
	}
	if images.Rank() != 3 || labels.Rank() != 1 || images.Dim(0) != labels.Dim(0) || images.DType() != dtype.Uint8 || labels.DType() != dtype.Uint8 {
		return nil, nil, fmt.Errorf("data.LoadMNIST: %s: images %s%s and labels %s%s: want uint8 of shapes (n, height, width) and (n,)", folder,
			images.DType(), broadcast.FormatShape(images.Shape()), labels.DType(), broadcast.FormatShape(labels.Shape()))
	}
	return images, labels.AsType(dtype.Int64), nil
}

// loadOneOf reads the file of a name in one of the forms in which it exists.
func loadOneOf(folder, name, kind string) (*nd.Array, error) {
	for _, form := range []string{name + "-" + kind, name + "." + kind} {
		for _, path := range []string{filepath.Join(folder, form), filepath.Join(folder, form+".gz")} {
			if _, err := os.Stat(path); err == nil {
				return LoadIDX(path)
			}
		}
	}
	return nil, fmt.Errorf("%s has no %s-%s, with .gz or without: a set in MNIST's format, such as that of Debian's package dataset-fashion-mnist, "+
		"has four such files", folder, name, kind)
}
