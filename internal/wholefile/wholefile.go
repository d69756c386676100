// Package wholefile writes files that appear complete or not at all.
package wholefile

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Write writes a file with the function write. If write fails or panics, nothing appears at path, and no temporary file
// is left.
func Write(path string, write func(w io.Writer) error) error {
	return WriteFile(path, func(f *File) error { return write(f.Writer) })
}

// WriteFile is Write for a function that may also rewind the file.
func WriteFile(path string, write func(f *File) error) (err error) {
	f, err := Create(path)
	if err != nil {
		return err
	}
	written := false
	defer func() {
		if !written {
			err = errors.Join(err, f.Discard())
		}
	}()
	if err := write(f); err != nil {
		return err
	}
	written = true
	return f.Commit()
}

// File is a temporary file beside a path. It replaces the path when it is complete. Writes are buffered. Errors name the
// path, not the temporary file.
type File struct {
	*bufio.Writer
	path string
	f    *os.File
}

// Create begins a file. The caller commits or discards it.
func Create(path string) (*File, error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return nil, about(path, err)
	}
	p := &File{path: path, f: f}
	p.Writer = bufio.NewWriterSize(unbuffered{p}, 1<<16)
	return p, nil
}

// unbuffered writes to the temporary file.
type unbuffered struct{ *File }

func (p unbuffered) Write(b []byte) (int, error) {
	n, err := p.f.Write(b)
	return n, about(p.path, err)
}

// about returns an error of the system about a temporary file as one about the path for which it stands.
func about(path string, err error) error {
	var file *fs.PathError
	var rename *os.LinkError
	switch {
	case errors.As(err, &file):
		op := file.Op
		if op == "open" {
			op = "create"
		}
		return &fs.PathError{Op: op, Path: path, Err: file.Err}
	case errors.As(err, &rename):
		return &fs.PathError{Op: "create", Path: path, Err: rename.Err}
	}
	return err
}

// Rewind moves to the first byte, so that the beginning can be written again.
func (p *File) Rewind() error {
	if err := p.Flush(); err != nil {
		return err
	}
	_, err := p.f.Seek(0, io.SeekStart)
	return about(p.path, err)
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
		return errors.Join(about(p.path, err), p.Discard())
	}
	if err = p.f.Close(); err == nil {
		err = os.Rename(p.f.Name(), p.path)
	}
	if err != nil {
		return errors.Join(about(p.path, err), about(p.path, os.Remove(p.f.Name())))
	}
	return nil
}

// Discard removes the file.
func (p *File) Discard() error {
	return errors.Join(about(p.path, p.f.Close()), about(p.path, os.Remove(p.f.Name())))
}
