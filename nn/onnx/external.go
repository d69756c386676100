package onnx

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
)

// externalFiles reads tensors whose elements are in files beside the model.
type externalFiles struct {
	root *os.Root // the model's folder; nil if the model does not come from a file
	// budget is the number of bytes that may still be read: several times the sizes of the files, so that a small model
	// cannot fill the memory by reading one file again and again.
	budget int64
	known  map[string]bool // the files that the budget counts
}

// read returns the bytes that the entries of a tensor describe. The file is in the model's folder or below it: links that
// lead out of it are refused, too.
func (files *externalFiles) read(entries []*entryMessage) ([]byte, error) {
	var location string
	offset, length := int64(0), int64(-1)
	for _, e := range entries {
		var err error
		switch e.Key {
		case "location":
			location = e.Value
		case "offset":
			offset, err = strconv.ParseInt(e.Value, 10, 64)
		case "length":
			length, err = strconv.ParseInt(e.Value, 10, 64)
		}
		if err != nil {
			return nil, fmt.Errorf("external data: %s is %q", e.Key, e.Value)
		}
	}
	switch {
	case location == "":
		return nil, errors.New("external data without a location")
	case files.root == nil:
		return nil, fmt.Errorf("the elements are in the file %q: use Load, which knows the model's folder", location)
	}
	f, err := files.root.Open(location)
	if err != nil {
		return nil, fmt.Errorf("external data: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("external data: %w", err)
	}
	if length < 0 {
		length = info.Size() - offset
	}
	if !info.Mode().IsRegular() || offset < 0 || length < 0 || offset > info.Size()-length {
		return nil, fmt.Errorf("external data: bytes %d to %d of %q, which has %d", offset, offset+length, location, info.Size())
	}
	if !files.known[location] {
		const times = 4
		files.known[location] = true
		files.budget += times * info.Size()
	}
	if files.budget -= length; files.budget < 0 {
		return nil, fmt.Errorf("external data: the tensors in %q are together larger than %d bytes", location, info.Size())
	}
	data := make([]byte, length)
	if _, err := io.ReadFull(io.NewSectionReader(f, offset, length), data); err != nil {
		return nil, fmt.Errorf("external data: %w", err)
	}
	return data, nil
}
