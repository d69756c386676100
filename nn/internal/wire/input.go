package wire

import (
	"errors"
	"io"

	"google.golang.org/protobuf/encoding/protowire"
)

// input is the source of a message, of which a page is in memory. It is read from its beginning to its end.
type input struct {
	r    io.ReaderAt
	size int64
	page []byte
	from int64 // offset of the page
}

// pageBytes is the least size of a page. Numbers of as many bytes stay where they are.
const pageBytes = 1 << 14

// bytes returns n bytes at an offset.
func (in *input) bytes(at int64, n int) ([]byte, error) {
	if at+int64(n) > in.from+int64(len(in.page)) {
		page := make([]byte, min(int64(max(n, pageBytes)), in.size-at))
		if got, err := in.r.ReadAt(page, at); got < len(page) {
			return nil, err
		}
		in.page, in.from = page, at
	}
	i := int(at - in.from)
	return in.page[i : i+n : i+n], nil
}

// span is a range of an input.
type span struct {
	in      *input
	at, end int64
}

func (s span) len() int64 { return s.end - s.at }

// bytes returns the range in memory.
func (s span) bytes() ([]byte, error) { return s.in.bytes(s.at, int(s.len())) }

// part returns the range as a part of Numbers.
func (s span) part() (part, error) {
	if s.len() >= pageBytes {
		return part{file: io.NewSectionReader(s.in.r, s.at, s.len())}, nil
	}
	data, err := s.bytes()
	return part{data: data}, err
}

// head returns the next bytes: enough for a tag or a number.
func (s *span) head() ([]byte, error) {
	const longest = 10
	return s.in.bytes(s.at, int(min(longest, s.len())))
}

// tag takes a tag off the range.
func (s *span) tag() (protowire.Number, protowire.Type, error) {
	head, err := s.head()
	if err != nil {
		return 0, 0, err
	}
	number, kind, n := protowire.ConsumeTag(head)
	if n < 0 {
		return 0, 0, protowire.ParseError(n)
	}
	s.at += int64(n)
	return number, kind, nil
}

// next takes the value of a field off the range: of texts, bytes and messages the content.
func (s *span) next(number protowire.Number, kind protowire.Type) (span, error) {
	value := span{s.in, s.at, s.at}
	if kind == protowire.StartGroupType {
		return value, s.skipGroup(number, 0)
	}
	head, err := s.head()
	if err != nil {
		return value, err
	}
	if kind != protowire.BytesType {
		n := protowire.ConsumeFieldValue(number, kind, head)
		if n < 0 {
			return value, protowire.ParseError(n)
		}
		value.end += int64(n)
		s.at = value.end
		return value, nil
	}
	length, n := protowire.ConsumeVarint(head)
	switch {
	case n < 0:
		return value, protowire.ParseError(n)
	case length > uint64(s.len()-int64(n)):
		return value, io.ErrUnexpectedEOF
	}
	value.at += int64(n)
	value.end = value.at + int64(length)
	s.at = value.end
	return value, nil
}

// skipGroup takes a group off the range: fields up to the end of the group of that number.
func (s *span) skipGroup(number protowire.Number, depth int) error {
	if err := checkDepth(depth); err != nil {
		return err
	}
	for {
		inner, kind, err := s.tag()
		switch {
		case err != nil:
			return err
		case kind == protowire.StartGroupType:
			err = s.skipGroup(inner, depth+1)
		case kind == protowire.EndGroupType && inner == number:
			return nil
		case kind == protowire.EndGroupType:
			return errors.New("a group ends that has not begun")
		default:
			_, err = s.next(inner, kind)
		}
		if err != nil {
			return err
		}
	}
}
