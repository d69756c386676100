package wire

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protowire"
)

// cutReader fails beyond some bytes, although it claimed to have more.
type cutReader struct {
	data []byte
	left int
}

var errCut = errors.New("the disk is gone")

func (r *cutReader) ReadAt(b []byte, at int64) (int, error) {
	if int(at)+len(b) > r.left {
		return 0, errCut
	}
	return bytes.NewReader(r.data).ReadAt(b, at)
}

// TestLongMessages reads a message of several pages: long Numbers stay in the file, and all values are right.
func TestLongMessages(t *testing.T) {
	const n = 3 * pageBytes
	long := make([]float32, n)
	for i := range long {
		long[i] = float32(i)
	}
	want := example()
	want.Data, want.Raw = NumbersOf(long), bytes.Repeat([]byte{7}, 2*pageBytes+1)
	for range n / 8 {
		want.Many = append(want.Many, &inner{Dim: []int64{1, -1}, Self: &inner{Dim: []int64{2}}})
	}
	data, err := Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got outer
	if err := unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if got.Data.parts[0].file == nil {
		t.Error("long Numbers are in memory")
	}
	if diff := cmp.Diff(want, &got, byValue); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	for _, marshal := range []func(any) ([]byte, error){Marshal, MarshalText} {
		ours, err := marshal(want)
		again, errAgain := marshal(&got)
		if err != nil || errAgain != nil || !bytes.Equal(ours, again) {
			t.Errorf("a message that was read is written in %d bytes, %v, want %d, %v", len(again), errAgain, len(ours), err)
		}
	}
}

// TestReadErrors returns the errors of the reader, from Unmarshal and later from CopyTo.
func TestReadErrors(t *testing.T) {
	want := &outer{FullName: "x", Data: NumbersOf(make([]float32, pageBytes))}
	data, err := Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	r := &cutReader{data, 10}
	if err := Unmarshal(r, int64(len(data)), new(outer)); !errors.Is(err, errCut) {
		t.Errorf("a file that cannot be read: %v", err)
	}
	var got outer
	r.left = pageBytes
	if err := Unmarshal(r, int64(len(data)), &got); err != nil {
		t.Fatal(err)
	}
	if err := got.Data.CopyTo(make([]float32, pageBytes)); !errors.Is(err, errCut) {
		t.Errorf("numbers that cannot be read: %v", err)
	}
	if _, err := Marshal(&got); !errors.Is(err, errCut) {
		t.Errorf("writing numbers that cannot be read: %v", err)
	}
	if _, err := MarshalText(&got); !errors.Is(err, errCut) {
		t.Errorf("writing a text of numbers that cannot be read: %v", err)
	}
}

// TestGroups skips unknown groups of any length, and refuses those that do not end.
func TestGroups(t *testing.T) {
	group := func(number protowire.Number, content []byte) []byte {
		b := append(protowire.AppendTag(nil, number, protowire.StartGroupType), content...)
		return protowire.AppendTag(b, number, protowire.EndGroupType)
	}
	text := protowire.AppendString(protowire.AppendTag(nil, 5, protowire.BytesType), strings.Repeat("x", 2*pageBytes))
	small := protowire.AppendVarint(protowire.AppendTag(nil, 2, protowire.VarintType), 3) // Small: 3
	for what, data := range map[string][]byte{"empty": group(77, nil), "long": group(77, text), "nested": group(77, group(78, text))} {
		var got outer
		if err := unmarshal(append(data, small...), &got); err != nil || got.Small != 3 {
			t.Errorf("a group that is %s: %v, %d", what, err, got.Small)
		}
	}
	whole := group(77, group(78, small))
	deep := bytes.Repeat(protowire.AppendTag(nil, 77, protowire.StartGroupType), 1<<20)
	for what, data := range map[string][]byte{"without an end": whole[:len(whole)-1], "of another number": append(whole[:len(whole)-2:len(whole)-2], 1<<3|4),
		"that only end": whole[len(whole)-2:], "too deep": deep} {
		if err := unmarshal(data, new(outer)); err == nil {
			t.Errorf("groups %s are read", what)
		}
	}
	if err := unmarshal(whole[:3], new(outer)); errors.Is(err, io.EOF) {
		t.Errorf("a message that is cut off: %v", err)
	}
}
