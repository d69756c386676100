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

// acceptsEscapes reports whether output to w may contain escape sequences: w is a terminal, or not a file. In the latter
// case the caller who passed w decides what happens with them.
func acceptsEscapes(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return true
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
