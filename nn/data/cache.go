package data

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// CacheOrLoad loads the file at path. If the file does not exist, create writes one, and CacheOrLoad returns the result
// of create. create gets the path of a temporary file in the same directory, which is renamed to path when it is
// complete, so that no other goroutine or program ever loads a part of it.
// Chainer: dataset.cache_or_load_file.
func CacheOrLoad[T any](path string, create, load func(path string) (T, error)) (v T, err error) {
	if _, err := os.Stat(path); err == nil {
		return load(path)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return v, fmt.Errorf("data.CacheOrLoad: %w", err)
	}
	dir, err := os.MkdirTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return v, cannotCreate(path, err)
	}
	defer os.RemoveAll(dir)
	temporary := filepath.Join(dir, filepath.Base(path))
	made, err := create(temporary)
	if err != nil {
		return v, err
	}
	if err := os.Rename(temporary, path); err != nil {
		return v, cannotCreate(path, err)
	}
	return made, nil
}

// cannotCreate returns an error of the system about the temporary file as one about the path.
func cannotCreate(path string, err error) error {
	var file *fs.PathError
	var rename *os.LinkError
	switch {
	case errors.As(err, &file):
		err = file.Err
	case errors.As(err, &rename):
		err = rename.Err
	}
	return fmt.Errorf("data.CacheOrLoad: %w", &fs.PathError{Op: "create", Path: path, Err: err})
}
