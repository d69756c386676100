// Package opticks has the text that the examples learn from: Isaac Newton, Opticks: or, a Treatise of the Reflections, Refractions,
// Inflections and Colours of Light, fourth edition, London 1730, which is in the public domain.
package opticks

import (
	"bytes"
	"compress/gzip"
	_ "embed" // the text
	"io"
)

//go:embed opticks.txt.gz
var compressed []byte

// Text returns the text, in UTF-8.
func Text() ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
