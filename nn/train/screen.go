package train

import (
	"io"
	"os"
)

// Escape sequences of terminals.
const (
	clearBelow = "\x1b[J" // from the cursor on
	cursorUp   = "\x1b[%dA"
)

// obeysEscapes reports whether what is written to w may have escape sequences: w is a terminal, or no file at all, so that whoever gave
// it decides what becomes of them.
func obeysEscapes(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return true
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
