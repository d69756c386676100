package opticks_test

import (
	"bytes"
	"testing"
	"unicode/utf8"

	"github.com/ndgrad/ndgrad/examples/internal/opticks"
)

func TestText(t *testing.T) {
	text, err := opticks.Text()
	if err != nil || len(text) < 400_000 || !utf8.Valid(text) || !bytes.Contains(text, []byte("Rays of Light")) {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}
