// Package wholefile writes files that appear complete or not at all.
package wholefile

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"
)

// Write writes a file with the function write. If write fails, nothing appears at path.
func Write(path string, write func(w io.Writer) error) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	if err := write(f.Writer); err != nil {
		return errors.Join(err, f.Discard())
	}
	return f.Commit()
}

// File is a temporary file beside a path. It replaces the path when it is complete. Writes are buffered.
type File struct {
	*bufio.Writer
	path string
	f    *os.File
}

// Create begins a file. The caller commits or discards it.
func Create(path string) (*File, error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return nil, err
	}
	return &File{bufio.NewWriterSize(f, 1<<16), path, f}, nil
}

// Rewind moves to the first byte, so that the beginning can be written again.
func (p *File) Rewind() error {
	if err := p.Flush(); err != nil {
		return err
	}
	_, err := p.f.Seek(0, io.SeekStart)
	return err
}

// Commit moves the file to its path, or removes it if that fails.
func (p *File) Commit() error {
	err := p.Flush()
	if err == nil {
		err = p.f.Chmod(0o644)
	}
	if err == nil {
		err = p.f.Sync()
	}
	if err != nil {
		return errors.Join(err, p.Discard())
	}
	if err = p.f.Close(); err == nil {
		err = os.Rename(p.f.Name(), p.path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(p.f.Name()))
	}
	return nil
}

// Discard removes the file.
func (p *File) Discard() error {
	return errors.Join(p.f.Close(), os.Remove(p.f.Name()))
}
