package data

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// CacheOrLoad loads the file at path, or where there is none has create write one and returns what that made: create gets the path of a
// temporary file beside it, which it takes the place of once it is whole, so that no other goroutine or program ever loads a part of it.
// chainer.dataset.cache_or_load_file.
func CacheOrLoad[T any](path string, create, load func(path string) (T, error)) (v T, err error) {
	if _, err := os.Stat(path); err == nil {
		return load(path)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return v, fmt.Errorf("data.CacheOrLoad: %w", err)
	}
	dir, err := os.MkdirTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return v, fmt.Errorf("data.CacheOrLoad: %w", err)
	}
	defer os.RemoveAll(dir)
	temporary := filepath.Join(dir, filepath.Base(path))
	made, err := create(temporary)
	if err != nil {
		return v, err
	}
	if err := os.Rename(temporary, path); err != nil {
		return v, fmt.Errorf("data.CacheOrLoad: %w", err)
	}
	return made, nil
}
