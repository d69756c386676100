package data

import (
	"bufio"
	"fmt"
	"image"
	_ "image/gif"  // registers a format of image files
	_ "image/jpeg" // registers a format
	_ "image/png"  // registers a format
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ndimage"
)

// ImageOptions are the options of [Images] and [LabeledImages].
type ImageOptions struct {
	// Root is the folder that paths are relative to; empty means the current one.
	Root string
	// DType is the dtype of the images. The default is float32.
	DType dtype.DType
	// LabelDType is the dtype of the labels. The default is int32.
	LabelDType dtype.DType
}

func (o *ImageOptions) complete() {
	if !o.DType.Valid() {
		o.DType = dtype.Float32
	}
	if !o.LabelDType.Valid() {
		o.LabelDType = dtype.Int32
	}
}

// Images returns the data set of image files, PNG, JPEG or GIF. Each file is read when At asks for it, as an array
// (channels, height, width) of the values in the file, from 0 to 255, or to 65535 for 16-bit files. A gray image has
// one channel, a colour image has red, green and blue, and an image with transparency has alpha as the fourth channel;
// colours are not multiplied by alpha.
// Chainer: datasets.ImageDataset.
func Images(paths []string, opts ...ImageOptions) Dataset[*nd.Array] {
	const fn nd.Func = "data.Images"
	o := options.Read(fn, opts)
	o.complete()
	return Map(Slice[string](paths), func(path string) (*nd.Array, error) { return loadImage(filepath.Join(o.Root, path), o.DType) })
}

// LabeledImage is the path of an image file, and its label.
type LabeledImage struct {
	Path  string
	Label int
}

// LabeledImages returns the data set of image files with labels: an example is the pair of an image, as in [Images],
// and its label, a 0-d array.
// Chainer: datasets.LabeledImageDataset.
func LabeledImages(images []LabeledImage, opts ...ImageOptions) Dataset[[]*nd.Array] {
	const fn nd.Func = "data.LabeledImages"
	o := options.Read(fn, opts)
	o.complete()
	return Map(Slice[LabeledImage](images), func(image LabeledImage) ([]*nd.Array, error) {
		x, err := loadImage(filepath.Join(o.Root, image.Path), o.DType)
		if err != nil {
			return nil, err
		}
		return []*nd.Array{x, nd.Full(nil, image.Label, o.LabelDType)}, nil
	})
}

// ListImages reads a list of image files, one path per line.
func ListImages(path string) ([]string, error) {
	var all []string
	err := eachLine(path, func(line string) error {
		all = append(all, line)
		return nil
	})
	return all, err
}

// ListLabeledImages reads a list of image files with labels: on each line a path without spaces, and a whole number,
// the format of Caffe.
func ListLabeledImages(path string) ([]LabeledImage, error) {
	var all []LabeledImage
	err := eachLine(path, func(line string) error {
		fields := strings.Fields(line)
		if len(fields) != 2 {
			return fmt.Errorf("%q: want a path and a label", line)
		}
		label, err := strconv.Atoi(fields[1])
		if err != nil {
			return fmt.Errorf("%q: want a whole number as the label", line)
		}
		all = append(all, LabeledImage{fields[0], label})
		return nil
	})
	return all, err
}

// eachLine reads the lines of a file, without the spaces around them; it skips empty lines.
func eachLine(path string, read func(line string) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	in := bufio.NewReader(f)
	for number := 1; ; number++ {
		line, end := in.ReadString('\n')
		if number == 1 {
			line = strings.TrimPrefix(line, byteOrderMark)
		}
		if line = strings.TrimSpace(line); line != "" {
			if err := read(line); err != nil {
				return fmt.Errorf("%s: line %d: %w", path, number, err)
			}
		}
		if end == io.EOF {
			return nil
		}
		if end != nil {
			return fmt.Errorf("%s: %w", path, end)
		}
	}
}

// byteOrderMark begins the files of some editors.
const byteOrderMark = "\ufeff"

func loadImage(path string, dt dtype.DType) (*nd.Array, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	img, _, err := image.Decode(bufio.NewReader(f))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	x := ndimage.From(img)
	if x.Rank() == 2 {
		x = x.Reshape(append(x.Shape(), 1)...)
	}
	return x.Index(nd.Ellipsis(), nd.Until(channels(img))).Transpose(2, 0, 1).AsType(dt).Contiguous(), nil
}

// channels returns the number of values per pixel in the file that an image was read from. For images with
// transparency, Go's decoders return image types whose colours are not multiplied by alpha.
func channels(img image.Image) int {
	switch m := img.(type) {
	case *image.Gray, *image.Gray16:
		return 1
	case *image.NRGBA, *image.NRGBA64:
		return 4
	case *image.Paletted:
		if !m.Opaque() {
			return 4
		}
	}
	return 3
}
