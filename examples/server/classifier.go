package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/model"
	"github.com/ndgrad/ndgrad/nn/onnx"
)

// classifier is the network with its settings.
type classifier struct {
	settings
	model *model.Model
}

// settings are those of magika's config.min.json.
type settings struct {
	BegSize    int                `json:"beg_size"` // the network sees so many bytes of the beginning and of the end
	EndSize    int                `json:"end_size"`
	BlockSize  int                `json:"block_size"` // which are looked for in so many
	Padding    int32              `json:"padding_token"`
	Least      int                `json:"min_file_size_for_dl"` // shorter files are told apart without the network
	Labels     []string           `json:"target_labels_space"`
	Confidence float64            `json:"medium_confidence_threshold"`
	Thresholds map[string]float64 `json:"thresholds"`
	Overwrite  map[string]string  `json:"overwrite_map"`
}

// answer is the body of an answer in JSON.
type answer struct {
	Label string  `json:"label"`
	Score float32 `json:"score"`           // of the network; 1 for files that are too short for it
	Guess string  `json:"guess,omitempty"` // the network's label, if it is not sure enough for it
}

// load reads the model of a folder.
func load(folder string) (*classifier, error) {
	c := &classifier{}
	path := filepath.Join(folder, "config.min.json")
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, &c.settings); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if c.BegSize < c.Least || c.EndSize < 1 || c.BlockSize < max(c.BegSize, c.EndSize) || c.Least < 1 {
		return nil, fmt.Errorf("%s: sizes %d and %d of blocks of %d, at least %d", path, c.BegSize, c.EndSize, c.BlockSize, c.Least)
	}
	path = filepath.Join(folder, "model.onnx")
	if c.model, err = onnx.Load(path); err != nil {
		return nil, err
	}
	// One call now finds a model that does not fit the settings before the first request does.
	var scores []float32
	if err := nd.Catch(func() { scores = c.scores(make([]int32, c.BegSize+c.EndSize)) }); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(scores) != len(c.Labels) {
		return nil, fmt.Errorf("%s: %d scores for %d labels", path, len(scores), len(c.Labels))
	}
	return c, nil
}

// scores computes the network.
func (c *classifier) scores(features []int32) []float32 {
	x := nd.FromSlice(features, 1, len(features))
	defer x.Release()
	y := c.model.Call(map[string]*nd.Array{c.model.Inputs()[0].Name: x})[0]
	defer y.Release()
	return nd.ToSlice[float32](y)
}

// ends are the first and the last bytes of a file.
type ends struct {
	size        int
	first, last []byte
}

// readEnds reads a file, and keeps the first and the last bytes of it.
func readEnds(r io.Reader, block int) (ends, error) {
	var f ends
	buffer := make([]byte, 32<<10)
	for {
		n, err := r.Read(buffer)
		f.size += n
		f.first = append(f.first, buffer[:min(n, block-len(f.first))]...)
		f.last = append(f.last, buffer[:n]...)
		f.last = f.last[max(len(f.last)-block, 0):]
		if err == io.EOF {
			return f, nil
		}
		if err != nil {
			return f, err
		}
	}
}

// space is what is not looked at around the contents of a file.
const space = " \t\n\r\v\f"

// features returns what the network sees of a file: its beginning, and its end, without the space around them.
func (c *classifier) features(f ends) []int32 {
	all := slices.Repeat([]int32{c.Padding}, c.BegSize+c.EndSize)
	first, last := bytes.TrimLeft(f.first, space), bytes.TrimRight(f.last, space)
	for i, b := range first[:min(len(first), c.BegSize)] {
		all[i] = int32(b)
	}
	last = last[max(len(last)-c.EndSize, 0):]
	for i, b := range last {
		all[len(all)-len(last)+i] = int32(b)
	}
	return all
}

// classify returns the kind of a file.
func (c *classifier) classify(f ends) *answer {
	if f.size == 0 {
		return &answer{Label: "empty", Score: 1}
	}
	features := c.features(f)
	if f.size < c.Least || features[c.Least-1] == c.Padding {
		return &answer{Label: plain(f.first), Score: 1}
	}
	scores := c.scores(features)
	best := slices.Index(scores, slices.Max(scores))
	guess, score := c.Labels[best], scores[best]
	a := &answer{Label: guess, Score: score}
	if other, ok := c.Overwrite[guess]; ok {
		a.Label = other
	}
	threshold, ok := c.Thresholds[guess]
	if !ok {
		threshold = c.Confidence
	}
	if float64(score) < threshold {
		a.Label, a.Guess = plain(f.first), guess
	}
	return a
}

// plain tells text from other bytes. The first bytes of a file may end within a character.
func plain(first []byte) string {
	for i := max(len(first)-utf8.UTFMax+1, 0); i < len(first); i++ {
		if !utf8.FullRune(first[i:]) {
			first = first[:i]
		}
	}
	if utf8.Valid(first) {
		return "txt"
	}
	return "unknown"
}
