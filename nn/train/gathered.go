package train

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/ndgrad/ndgrad/nn/report"
)

// Gather collects on rank 0 what a snapshot needs from the other ranks: the positions of the streams, and with Sharded
// the optimizer's states, which rank 0 keeps until the next update. All ranks call it. [Snapshot] does so itself.
func (u *Distributed[B]) Gather() error {
	if err := u.connect(u.o.Goroutines); err != nil {
		return err
	}
	if u.streams != nil {
		if err := u.gatherStreams(); err != nil {
			return err
		}
	}
	if u.shards != nil {
		return u.shards.gather(u.model, u.optimizer)
	}
	return nil
}

// gatherStreams gives all ranks the positions of the streams of all.
func (u *Distributed[B]) gatherStreams() error {
	var mine []byte
	for _, w := range u.workers {
		state, err := w.rng.MarshalBinary()
		if err != nil {
			return err
		}
		mine = append(mine, state...)
	}
	all, err := u.control.AllGatherBytes(context.Background(), mine)
	if err != nil {
		return err
	}
	n := len(mine) / len(u.workers)
	for i, rng := range u.streams {
		state := all[i/len(u.workers)]
		if len(state) != len(mine) {
			return fmt.Errorf("rank %d has other streams: %d bytes, want %d", i/len(u.workers), len(state), len(mine))
		}
		if err := rng.UnmarshalBinary(state[i%len(u.workers)*n:][:n]); err != nil {
			return err
		}
	}
	return nil
}

// observe reports the means of what the loss functions of all ranks reported, in the order of the ranks.
func (u *Distributed[B]) observe(r *report.Reporter, seen []report.Values) error {
	all, err := u.gatherValues(seen)
	if err != nil {
		return err
	}
	var sums report.Summaries
	for _, values := range all {
		for i := range values {
			sums.Add(&values[i])
		}
	}
	for name, v := range sums.Means().All() {
		r.Value(name, v)
	}
	return nil
}

// gatherValues returns lists of values of all ranks.
func (k *cluster) gatherValues(mine []report.Values) ([][]report.Values, error) {
	texts, err := k.control.AllGatherBytes(context.Background(), encodeValues(mine))
	if err != nil {
		return nil, err
	}
	all := make([][]report.Values, len(texts))
	for r, text := range texts {
		if all[r], err = decodeValues(text); err != nil {
			return nil, fmt.Errorf("values of rank %d: %w", r, err)
		}
	}
	return all, nil
}

// encodeValues writes lists of values: their number, and of each list the number, the names and the bits of its values.
func encodeValues(lists []report.Values) []byte {
	b := binary.AppendUvarint(nil, uint64(len(lists)))
	for i := range lists {
		b = binary.AppendUvarint(b, uint64(lists[i].Len()))
		for name, v := range lists[i].All() {
			b = append(binary.AppendUvarint(b, uint64(len(name))), name...)
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
	}
	return b
}

// decodeValues reads what encodeValues wrote.
func decodeValues(b []byte) ([]report.Values, error) {
	r := bytes.NewReader(b)
	count := func() int {
		n, err := binary.ReadUvarint(r)
		if err != nil || n > uint64(len(b)) {
			return -1
		}
		return int(n)
	}
	n := count()
	lists := make([]report.Values, max(n, 0))
	for i := range lists {
		for range count() {
			name := make([]byte, max(count(), 0))
			var bits [8]byte
			if _, err := io.ReadFull(r, name); err != nil {
				return nil, err
			}
			if _, err := io.ReadFull(r, bits[:]); err != nil {
				return nil, err
			}
			lists[i].Set(string(name), math.Float64frombits(binary.LittleEndian.Uint64(bits[:])))
		}
	}
	return lists, nil
}
