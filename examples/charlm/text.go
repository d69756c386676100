package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/ndgrad/ndgrad/examples/internal/opticks"
	"github.com/ndgrad/ndgrad/nd"
)

// text is the text to learn from: the alphabet, and the characters as indices into it.
type text struct {
	chars    []int
	alphabet []byte
}

// read reads a file, or Newton's Opticks if the path is empty.
func read(path string) (text, error) {
	var raw []byte
	var err error
	if path == "" {
		raw, err = opticks.Text()
	} else {
		raw, err = os.ReadFile(path)
	}
	if err != nil {
		return text{}, err
	}
	t := text{alphabet: slices.Compact(slices.Sorted(slices.Values(raw)))}
	if least := 2 * columns * (span + 1); len(raw) < 10*least {
		return text{}, fmt.Errorf("%s: %d characters: want at least %d", path, len(raw), 10*least)
	}
	index := t.indices()
	for _, c := range raw {
		t.chars = append(t.chars, index[c])
	}
	return t, nil
}

// indices returns the index of each character in the alphabet.
func (t *text) indices() (index [256]int) {
	for i, c := range t.alphabet {
		index[c] = i
	}
	return index
}

// split returns the text to learn from, and its last tenth for tests, in columns that are read side by side.
func (t *text) split() (train, test *nd.Array) {
	cut := len(t.chars) / 10 * 9
	return inColumns(t.chars[:cut]), inColumns(t.chars[cut:])
}

// inColumns splits a text into pieces, and returns them as the columns of an array (length, columns).
func inColumns(chars []int) *nd.Array {
	n := len(chars) / columns
	return nd.FromSlice(chars[:columns*n], columns, n).T().Contiguous()
}
