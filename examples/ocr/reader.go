package main

import (
	"fmt"
	"image"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/model"
	"github.com/ndgrad/ndgrad/nn/onnx"
)

// Sizes of the networks' inputs.
const (
	shortSide  = 736 // a smaller picture is enlarged until its shorter side has so many pixels
	multiple   = 32  // of which the finder's input has sides
	lineHeight = 48
	angleWidth = 192 // of the input of the network for angles
	leastWidth = 320 // of that of the reader
	mostLines  = 6   // that are read at once
)

// surelyTurned is the probability from which on a line is taken for one that stands on its head.
const surelyTurned = 0.9

// reader has the networks, and the characters that the last one tells apart.
type reader struct {
	finder, angle, letters *model.Model
	alphabet               []string
}

// line is a line of text.
type line struct {
	box        box
	text       string
	confidence float64
}

// load reads the models of a folder. The characters are in the metadata of the model that reads.
func load(folder string) (*reader, error) {
	r := &reader{}
	for _, m := range []struct {
		pattern string
		into    **model.Model
	}{{"*_det_infer.onnx", &r.finder}, {"*_cls_infer.onnx", &r.angle}, {"*_rec_infer.onnx", &r.letters}} {
		found, err := filepath.Glob(filepath.Join(folder, m.pattern))
		if err != nil || len(found) == 0 {
			return nil, fmt.Errorf("%s has no model %s", folder, m.pattern)
		}
		f, err := onnx.Open(found[0])
		if err != nil {
			return nil, err
		}
		if *m.into, err = f.Model(); err != nil {
			return nil, fmt.Errorf("%s: %w", found[0], err)
		}
		if characters, ok := f.Metadata()["character"]; ok {
			r.alphabet = append(append([]string{""}, strings.Split(characters, "\n")...), " ") // no character comes first
		}
	}
	if r.alphabet == nil {
		return nil, fmt.Errorf("no model in %s has characters in its metadata", folder)
	}
	return r, nil
}

// call computes the only output of a network.
func call(m *model.Model, x *nd.Array) *nd.Array {
	return m.Call(map[string]*nd.Array{m.Inputs()[0].Name: x})[0]
}

// read returns the lines of a picture, from top to bottom.
func (r *reader) read(picture *image.RGBA) []line {
	boxes := r.find(picture)
	slices.SortStableFunc(boxes, func(a, b box) int {
		if d := a[0].y - b[0].y; math.Abs(d) >= min(a.height(), b.height())/2 {
			return sign(d)
		}
		return sign(a[0].x - b[0].x)
	})
	lines := make([]line, len(boxes))
	for i, b := range boxes {
		lines[i].box = b.upright()
	}
	// Lines of about the same width are read together.
	order := make([]*line, len(lines))
	for i := range lines {
		order[i] = &lines[i]
	}
	slices.SortStableFunc(order, func(a, b *line) int {
		return sign(a.box.width()/a.box.height() - b.box.width()/b.box.height())
	})
	for some := range slices.Chunk(order, mostLines) {
		r.turn(picture, some)
		r.readSome(picture, some)
	}
	return slices.DeleteFunc(lines, func(l line) bool { return l.text == "" || l.confidence < boxThreshold })
}

// find returns the boxes of lines in a picture.
func (r *reader) find(picture *image.RGBA) []box {
	size := picture.Bounds().Size()
	ratio := max(1, shortSide/float64(min(size.X, size.Y)))
	side := func(n int) int { return max(multiple, int(math.Round(float64(n)*ratio/multiple))*multiple) }
	width, height := side(size.X), side(size.Y)
	values := make([]float32, 3*width*height)
	fill(values, width, width, height, picture, box{{0, 0}, {float64(size.X), 0}, {float64(size.X), float64(size.Y)}, {0, float64(size.Y)}})
	x := nd.Wrap(values, 1, 3, height, width)
	y := call(r.finder, x)
	defer y.Release()
	boxes := probabilities{width, height, nd.ToSlice[float32](y)}.boxes()
	scale := [2]float64{float64(size.X) / float64(width), float64(size.Y) / float64(height)}
	for i, b := range boxes {
		for k, p := range b {
			boxes[i][k] = p.scaled(scale)
		}
	}
	return boxes
}

// turn turns those boxes whose lines stand on their head.
func (r *reader) turn(picture *image.RGBA, lines []*line) {
	x := batch(picture, lines, angleWidth)
	y := call(r.angle, x)
	defer y.Release()
	for i, p := range nd.ToRows[float32](y) {
		if p[1] > surelyTurned {
			lines[i].box = lines[i].box.turned()
		}
	}
}

// readSome reads lines.
func (r *reader) readSome(picture *image.RGBA, lines []*line) {
	width := float64(leastWidth)
	for _, l := range lines {
		width = max(width, lineHeight*l.box.width()/l.box.height())
	}
	x := batch(picture, lines, int(math.Ceil(width)))
	y := call(r.letters, x)
	defer y.Release()
	best, letter := ops.Max(y, ops.Over(2)), ops.ArgMax(y, ops.Over(2))
	defer best.Release()
	defer letter.Release()
	letters, sure := nd.ToRows[int](letter), nd.ToRows[float32](best)
	for i, l := range lines {
		l.text, l.confidence = decode(letters[i], sure[i], r.alphabet)
	}
}

// decode returns the text of the most probable letters at each position. Equal letters next to each other are one, and letter 0 is
// none. The confidence is the mean probability of the letters.
func decode(letters []int, sure []float32, alphabet []string) (text string, confidence float64) {
	var all strings.Builder
	count, total, last := 0, 0.0, 0
	for i, letter := range letters {
		if letter != last && letter != 0 && letter < len(alphabet) {
			all.WriteString(alphabet[letter])
			count, total = count+1, total+float64(sure[i])
		}
		last = letter
	}
	return strings.TrimSpace(all.String()), total / float64(max(count, 1))
}

// batch returns the lines as pictures of one height, in planes of the given width; what a shorter line leaves is 0.
func batch(picture *image.RGBA, lines []*line, width int) *nd.Array {
	values := make([]float32, len(lines)*3*lineHeight*width)
	for i, l := range lines {
		own := min(width, max(1, int(math.Ceil(lineHeight*l.box.width()/max(l.box.height(), 1)))))
		fill(values[i*3*lineHeight*width:][:3*lineHeight*width], width, own, lineHeight, picture, l.box)
	}
	return nd.Wrap(values, len(lines), 3, lineHeight, width)
}

// fill writes the part of a picture in a box, width by height pixels large, into planes of blue, green and red from -1 to 1, whose
// rows are step apart.
func fill(planes []float32, step, width, height int, picture *image.RGBA, b box) {
	right, down := b[1].minus(b[0]).times(1/float64(width)), b[3].minus(b[0]).times(1/float64(height))
	// A pixel of the result is the mean of so many samples each way.
	across, along := samples(right.length()), samples(down.length())
	for y := range height {
		for x := range width {
			var sum [3]float64
			for i := range across * along {
				fx, fy := (float64(i%across)+0.5)/float64(across), (float64(i/across)+0.5)/float64(along)
				v := sample(picture, b[0].plus(right.times(float64(x)+fx)).plus(down.times(float64(y)+fy)))
				for c := range sum {
					sum[c] += v[c]
				}
			}
			for c, v := range sum {
				planes[((2-c)*height+y)*step+x] = float32(v/float64(across*along)/127.5 - 1)
			}
		}
	}
}

// samples is how many samples a step of some pixels needs.
func samples(pixels float64) int { return min(max(1, int(math.Round(pixels))), 8) }

// sample interpolates between the centres of the four pixels around a point.
func sample(picture *image.RGBA, p point) (v [3]float64) {
	size := picture.Bounds().Size()
	x, y := min(max(p.x-0.5, 0), float64(size.X-1)), min(max(p.y-0.5, 0), float64(size.Y-1))
	x0, y0 := int(x), int(y)
	fx, fy := x-float64(x0), y-float64(y0)
	for k, w := range [4]float64{(1 - fx) * (1 - fy), fx * (1 - fy), (1 - fx) * fy, fx * fy} {
		at := min(y0+k/2, size.Y-1)*picture.Stride + 4*min(x0+k%2, size.X-1)
		for c := range v {
			v[c] += w * float64(picture.Pix[at+c])
		}
	}
	return v
}
