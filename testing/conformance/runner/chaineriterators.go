package runner

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// iterates compares the batches of an iterator, and its position after each.
func (t *trainingCase) iterates(how catalogue.CallOptions) error {
	batches, err := t.iterator(t.fn, how)
	if err != nil {
		return err
	}
	defer batches.Close()
	v, _ := t.c.Args.Get("expect")
	want, _ := v.(golden.Object)
	got := map[string]any{"stops": false}
	at := func() (epoch int, isNew bool, detail float64) {
		p := batches.Position()
		return p.Epoch, p.NewEpoch, p.Detail
	}
	epoch, isNew, detail := at()
	got["start"] = map[string]any{"epoch": epoch, "epoch_detail": detail, "is_new_epoch": isNew}
	var all []any
	var epochs []int
	var news []bool
	var details []float64
	for range t.number("steps") {
		batch, err := batches.Next()
		if errors.Is(err, io.EOF) {
			got["stops"] = true
			break
		}
		if err != nil {
			return err
		}
		epoch, isNew, detail := at()
		all, epochs, news, details = append(all, batch), append(epochs, epoch), append(news, isNew), append(details, detail)
	}
	got["batches"], got["epoch"], got["is_new_epoch"], got["epoch_detail"] = all, epochs, news, details
	return match(t.tol, got, want)
}

// iterator creates an iterator over the data set of the case.
func (t *trainingCase) iterator(fn *catalogue.Function, how catalogue.CallOptions) (data.Batches[any], error) {
	result, err := t.callRow(fn, how)
	if err != nil {
		return nil, err
	}
	batches, ok := result.Values[0].(data.Batches[any])
	if !ok {
		return nil, fmt.Errorf("%s returned a %T, want batches", fn.Name, result.Values[0])
	}
	return batches, nil
}

// number returns an integer argument of the case.
func (t *trainingCase) number(name string) int {
	v, _ := t.c.Args.Get(name)
	n, _ := golden.Int(v)
	return n
}

// resumes compares what a SerialIterator saves after some steps, and the batches of another iterator that restores it:
// from that file, and from one with only Chainer's entries.
func (t *trainingCase) resumes(how catalogue.CallOptions) error {
	v, _ := t.c.Args.Get("expect")
	want, _ := v.(golden.Object)
	serial, err := t.row("chainer.iterators.SerialIterator")
	if err != nil {
		return err
	}
	first, err := t.iterator(serial, how)
	if err != nil {
		return err
	}
	for range t.number("steps") {
		if _, err := first.Next(); err != nil {
			return err
		}
	}
	dir, err := os.MkdirTemp("", "iterator")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path, theirs := filepath.Join(dir, "ours.npz"), filepath.Join(dir, "theirs.npz")
	if err := archive.Save(path, t.archived(first)); err != nil {
		return err
	}
	arrays, err := nd.LoadNpz(path)
	if err != nil {
		return err
	}
	stopped := first.Position()
	v, _ = want.Get("saved")
	entries, _ := v.(golden.Object)
	var kept []nd.Named
	for _, e := range entries {
		found := false
		for _, a := range arrays {
			if a.Name == e.Name {
				kept, found = append(kept, a), a.Array.Size() == 1 && equalValue(t.tol, a.Array.Item(), e.Value)
			}
		}
		if !found {
			return fmt.Errorf("%s is not saved as %v", e.Name, catalogue.Describe(e.Value))
		}
	}
	if err := nd.SaveNpz(theirs, kept, false); err != nil {
		return err
	}
	next, _ := want.Get("next_batches")
	list, _ := next.(golden.List)
	for _, from := range []string{path, theirs} {
		second, err := t.iterator(serial, how)
		if err != nil {
			return err
		}
		if err := archive.Load(from, t.archived(second)); err != nil {
			return err
		}
		if there := second.Position(); there != stopped {
			return fmt.Errorf("restored from %s it is at %+v, want %+v", filepath.Base(from), there, stopped)
		}
		var got []any
		for range list {
			batch, err := second.Next()
			if err != nil {
				return err
			}
			got = append(got, batch)
		}
		if err := match(t.tol, got, list); err != nil {
			return fmt.Errorf("restored from %s: %w", filepath.Base(from), err)
		}
	}
	return nil
}

// archived returns an iterator that the function of the case saves and restores.
func (t *trainingCase) archived(batches data.Batches[any]) archive.Object {
	return archive.Func(func(a *archive.Archive) {
		if _, err := t.fn.Call(nil, map[string]any{"self": batches, "serializer": a}); err != nil {
			a.Fail(err)
		}
	})
}
