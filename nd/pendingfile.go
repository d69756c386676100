package nd

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"
)

// writeFile writes a file that appears whole or not at all.
func writeFile(path string, write func(w io.Writer) error) (err error) {
	p, err := createPending(path)
	if err != nil {
		return err
	}
	if err := write(p.w); err != nil {
		return errors.Join(err, p.discard())
	}
	return p.commit()
}

// pendingFile is a temporary file beside path, which it replaces when it is whole.
type pendingFile struct {
	path string
	f    *os.File
	w    *bufio.Writer
}

func createPending(path string) (*pendingFile, error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return nil, err
	}
	return &pendingFile{path, f, bufio.NewWriterSize(f, 1<<16)}, nil
}

// commit puts the file in its place, or removes it where that fails.
func (p *pendingFile) commit() error {
	err := p.w.Flush()
	if err == nil {
		err = p.f.Chmod(0o644)
	}
	if err == nil {
		err = p.f.Sync()
	}
	if err != nil {
		return errors.Join(err, p.discard())
	}
	if err = p.f.Close(); err == nil {
		err = os.Rename(p.f.Name(), p.path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(p.f.Name()))
	}
	return nil
}

// discard removes the file.
func (p *pendingFile) discard() error {
	return errors.Join(p.f.Close(), os.Remove(p.f.Name()))
}
