package torch

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/big"
)

// openLegacy reads the form before PyTorch 1.6: pickles of a magic number, a version, facts about the system, the value,
// and a list of storage keys, and then the storages in the order of that list, each after its number of elements.
func (f *File) openLegacy(r io.ReaderAt, size int64) error {
	const longest = 1 << 30 // no pickle without elements is nearly as long
	p := &legacyReader{r: r, size: size, budget: f.budget, longest: min(size, longest), classes: map[string]string{}}
	magic, _ := new(big.Int).SetString("1950a86a20f9469cfc6c", 16)
	if v, ok := p.next().(*big.Int); p.err == nil && (!ok || v.Cmp(magic) != 0) {
		return errors.New("a pickle that does not begin with the magic number of torch.save")
	}
	if version := p.next(); p.err == nil && version != int64(1001) {
		return fmt.Errorf("version %v of the format, want 1001", version)
	}
	system, _ := p.next().(*Dict)
	if p.err == nil && system == nil {
		return errors.New("the facts about the system are not a dict")
	}
	if at, ok := system.lookup("little_endian"); p.err == nil && ok && at != true {
		return errors.New("the file is big-endian: only little-endian files are read")
	}
	f.Value = p.next()
	keys, _ := p.next().(*List)
	if p.err != nil {
		return p.err
	}
	if keys == nil {
		return errors.New("the keys of the storages are not a list")
	}
	return f.legacyStorages(r, p.at, size, keys, p.classes)
}

// legacyStorages finds the storages, which begin at offset at.
func (f *File) legacyStorages(r io.ReaderAt, at, size int64, keys *List, classes map[string]string) error {
	const countBytes = 8
	for _, key := range keys.Items {
		name, ok := key.(string)
		if !ok {
			return errors.New("the key of a storage is not a text")
		}
		var count [countBytes]byte
		if _, err := r.ReadAt(count[:], at); err != nil {
			return fmt.Errorf("storage %q: %w", name, io.ErrUnexpectedEOF)
		}
		n := binary.LittleEndian.Uint64(count[:])
		at += countBytes
		width, err := elementSize(classes[name])
		if err != nil {
			return fmt.Errorf("storage %q: %w", name, err)
		}
		if n > uint64((size-at)/width) {
			return fmt.Errorf("storage %q has %d elements: %w", name, n, io.ErrUnexpectedEOF)
		}
		bytes := int64(n) * width
		part := io.NewSectionReader(r, at, bytes)
		f.storages[dataFolder+name] = section{
			func() (io.ReadCloser, error) { return io.NopCloser(io.NewSectionReader(part, 0, bytes)), nil }, bytes,
		}
		at += bytes
	}
	return nil
}

// elementSize returns the size of an element of a class of storages.
func elementSize(class string) (int64, error) {
	if dt := storageType(class); dt.Valid() {
		return int64(dt.Size()), nil
	}
	switch class {
	case untyped, "QInt8Storage", "QUInt8Storage", "QUInt4x2Storage", "QUInt2x4Storage":
		return 1, nil
	case "QInt32Storage", "ComplexHalfStorage":
		return 4, nil
	}
	return 0, fmt.Errorf("its class %q is unknown", class)
}

// legacyReader reads pickles that follow each other.
type legacyReader struct {
	r                 io.ReaderAt
	at, size, longest int64
	classes           map[string]string // of storages, by their keys
	budget            *budget
	err               error
}

// next reads a pickle. Its length is unknown, so that next tries longer and longer pieces.
func (p *legacyReader) next() any {
	if p.err != nil {
		return nil
	}
	for length := int64(1 << 12); ; length *= 8 {
		text := make([]byte, min(length, p.size-p.at))
		if _, err := p.r.ReadAt(text, p.at); err != nil && err != io.EOF {
			p.err = err
			return nil
		}
		before := p.budget.left
		v, n, err := unpickle(text, p.budget, p.classes)
		if err == nil {
			p.at += int64(n)
			return v
		}
		if !errors.Is(err, io.ErrUnexpectedEOF) || int64(len(text)) >= min(p.size-p.at, p.longest) {
			p.err = err
			return nil
		}
		p.budget.left = before
	}
}

// lookup returns the value of a key.
func (d *Dict) lookup(key any) (any, bool) {
	if d == nil {
		return nil, false
	}
	at, ok := d.index[key]
	if !ok {
		return nil, false
	}
	return d.Values[at], true
}
