package npy

import (
	"archive/zip"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// extension is the end of a member's name, which the array's name lacks.
const extension = ".npy"

// Archive is an .npz file open for reading.
type Archive struct {
	// MaxBytes bounds the elements of one array; 0 means no bound.
	MaxBytes int64

	names, texts, others []string
	arrays               map[string]*zip.File // by name without the extension
	files                map[string]*zip.File // all members, by full name
}

// OpenArchive reads the directory of the .npz file of the given size in r, and the header of every array. It refuses
// archives with two arrays of one name, and archives whose members share bytes or reach beyond the end: small files
// that claim to be huge are made so.
func OpenArchive(r io.ReaderAt, size int64) (*Archive, error) {
	members, err := ZipMembers(r, size)
	if err != nil {
		return nil, err
	}
	a := &Archive{arrays: map[string]*zip.File{}, files: map[string]*zip.File{}}
	for _, f := range members {
		a.files[f.Name] = f
		name, isNpy := strings.CutSuffix(f.Name, extension)
		switch {
		case isNpy && holdsArray(f):
			if a.arrays[name] != nil {
				return nil, fmt.Errorf("two members are named %q", f.Name)
			}
			a.arrays[name] = f
			a.names = append(a.names, name)
		case isNpy && holdsText(f):
			a.texts = append(a.texts, name)
		default:
			a.others = append(a.others, f.Name)
		}
	}
	return a, nil
}

// ZipMembers returns the members of a zip archive of the given size. Their names serve as keys, never as paths. It refuses
// members whose stored bytes overlap or leave the file. So the whole archive expands no further than deflate can expand its
// own bytes.
func ZipMembers(r io.ReaderAt, size int64) ([]*zip.File, error) {
	z, err := zip.NewReader(r, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, err
	}
	return z.File, checkExtents(z.File, size)
}

func checkExtents(files []*zip.File, size int64) error {
	type extent struct {
		start, end int64
		name       string
	}
	extents := make([]extent, 0, len(files))
	for _, f := range files {
		start, err := f.DataOffset()
		if err != nil {
			return fmt.Errorf("member %q: %w", f.Name, noEOF(err))
		}
		if f.CompressedSize64 > math.MaxInt64 || start > size-int64(f.CompressedSize64) {
			return fmt.Errorf("member %q: %w", f.Name, io.ErrUnexpectedEOF)
		}
		if f.CompressedSize64 > 0 {
			extents = append(extents, extent{start, start + int64(f.CompressedSize64), f.Name})
		}
	}
	slices.SortFunc(extents, func(a, b extent) int { return cmp.Compare(a.start, b.start) })
	for i := 1; i < len(extents); i++ {
		if extents[i].start < extents[i-1].end {
			return fmt.Errorf("members %q and %q overlap", extents[i-1].name, extents[i].name)
		}
	}
	return nil
}

// holdsArray reports whether the member is an array of this library, possibly a damaged one: then reading it returns
// the error.
func holdsArray(f *zip.File) bool {
	r, err := f.Open()
	if err != nil {
		return true
	}
	defer r.Close()
	_, err = ReadHeader(r)
	empty := errors.Is(err, io.EOF)
	return !empty && !errors.Is(err, ErrMagic) && !errors.Is(err, ErrUnsupportedDType)
}

// holdsText reports whether the member is a text.
func holdsText(f *zip.File) bool {
	r, err := f.Open()
	if err != nil {
		return false
	}
	defer r.Close()
	_, err = textUnits(ReadHeader(r))
	return err == nil
}

// Names returns the names of the arrays, without .npy, in the order of the file.
func (a *Archive) Names() []string { return slices.Clone(a.names) }

// Texts returns the names of the members that hold text, without .npy, in the order of the file.
func (a *Archive) Texts() []string { return slices.Clone(a.texts) }

// Others returns the full names of the members that are neither arrays of this library nor text, in the order of the
// file: names without .npy, files without the magic string, and arrays of unsupported dtypes.
func (a *Archive) Others() []string { return slices.Clone(a.others) }

// Open opens any member by its full name, as raw bytes. Reading to the end checks the bytes against the archive's
// checksum.
func (a *Archive) Open(member string) (io.ReadCloser, error) {
	f := a.files[member]
	if f == nil {
		return nil, fmt.Errorf("the archive has no member %q", member)
	}
	return f.Open()
}

// Read reads the array of the given name, without .npy, into memory that it gets from room, and checks it against the
// archive's checksum. For a member of unsupported dtype it returns the error that says so.
func (a *Archive) Read(name string, room Room) error {
	f := a.arrays[name]
	if f == nil {
		f = a.files[name+extension]
	}
	if f == nil {
		return fmt.Errorf("the archive has no array %q", name)
	}
	if err := readMember(f, a.MaxBytes, func(h Header, err error) (Header, error) { return h, err }, room); err != nil {
		return fmt.Errorf("array %q: %w", name, err)
	}
	return nil
}

// readMember reads a member. elements maps its header, and the error of reading the header, to the header of its
// elements.
func readMember(f *zip.File, limit int64, elements func(Header, error) (Header, error), room Room) error {
	r, err := f.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	h, err := elements(ReadHeader(r))
	if err != nil {
		return err
	}
	size, err := h.Size()
	switch {
	case err != nil:
		return err
	case uint64(size) > f.UncompressedSize64:
		return fmt.Errorf("shape %s of %v has %d bytes, the member %d", formatShape(h.Shape), h.DType, size, f.UncompressedSize64)
	case limit > 0 && int64(size) > limit:
		return fmt.Errorf("shape %s of %v has %d bytes, more than the limit of %d", formatShape(h.Shape), h.DType, size, limit)
	}
	if err := ReadElements(r, h, credible(f), room); err != nil {
		return err
	}
	// The checksum is compared at the end of the member. As in NumPy, other bytes may follow the data.
	_, err = io.Copy(io.Discard, r)
	return err
}

// credible returns the number of bytes that are allocated at once for a member: all that the archive stores without
// compression, and of deflated data as much as ordinary arrays expand to.
func credible(f *zip.File) int64 {
	const ordinary = 16
	stored := int64(f.CompressedSize64) // ZipMembers has compared it with the size of the file
	if f.Method == zip.Store {
		return stored
	}
	return stored * ordinary
}
