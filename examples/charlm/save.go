package main

import (
	"bytes"
	"context"
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/archive"
)

// save saves the training on process 0, which gets the states of the other processes' workers before. All call it.
func (t *training) save(ctx context.Context, path string) error {
	if path == "" {
		return nil
	}
	var mine bytes.Buffer
	values, err := archive.Collect(states(t.of(t.c.Rank())))
	if err != nil {
		return err
	}
	if err := nd.WriteNpz(&mine, values, false); err != nil {
		return err
	}
	all, err := t.c.AllGatherBytes(ctx, mine.Bytes())
	if err != nil || t.c.Rank() > 0 {
		return err
	}
	for r, file := range all[1:] {
		z, err := nd.ReadNpz(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			return err
		}
		var values nd.NamedArrays
		for _, name := range z.Names() {
			x, err := z.Read(name)
			if err != nil {
				return err
			}
			values = append(values, nd.Named{Name: name, Array: x})
		}
		if err := archive.Restore(fmt.Sprint("process ", r+1), values, states(t.of(r+1))); err != nil {
			return err
		}
	}
	return archive.Save(path, t)
}

// states are the states of some workers.
type states []*worker

func (s states) Archive(a *archive.Archive) {
	for i, w := range s {
		a.Object(fmt.Sprint(i), w)
	}
}
