package runner

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// casesPerFunction is the number of committed cases per function.
const casesPerFunction = 2

// One case is committed for each trained net, among those whose arrays have at most largestTraining bytes.
const (
	trainingsPerNet = 1
	largestTraining = 24 << 10
)

// accuracyStep is the distance of the committed points of an accuracy table.
const accuracyStep = 20

// WriteSubset writes, in the format of the suites, a few cases of every function that has a row: one with gradients, if
// there is any, and small ones. The same cases always give the same bytes. The folder out is replaced.
func WriteSubset(goldenDir, out string) error {
	suites, err := golden.Suites(goldenDir)
	if err != nil {
		return err
	}
	r, err := New(catalogue.Rows())
	if err != nil {
		return err
	}
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	for _, s := range suites {
		to := filepath.Join(out, s.Name)
		var err error
		switch s.Kind() {
		case golden.Functions, golden.Solvers, golden.Trainings, golden.Exercises:
			err = r.caseSubset(s, to)
		case golden.Accuracy:
			err = r.accuracySubset(s, to)
		case golden.NpyFiles:
			err = npySubset(s, to)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *Runner) caseSubset(s golden.Suite, to string) error {
	paths, err := s.Files()
	if err != nil {
		return err
	}
	for _, path := range paths {
		f, err := golden.Open(path)
		if err != nil {
			return err
		}
		switch {
		case s.Kind() == golden.Trainings:
			err = writeCases(f, trainingsPerNet, largestTraining, filepath.Join(to, filepath.Base(path)))
		case r.functions[f.Function] != nil:
			err = writeCases(f, casesPerFunction, math.MaxInt, filepath.Join(to, filepath.Base(path)))
		}
		f.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// writeCases writes some cases of a file and the arrays that they name. The arrays of each case have at most largest
// bytes. It writes nothing if there are no such cases.
func writeCases(f *golden.File, count, largest int, to string) error {
	members, err := zipMembers(golden.ArraysPath(f.Path))
	if err != nil {
		return err
	}
	size := func(c *golden.Case) (size int) {
		for _, key := range c.Keys() {
			if m := members[key+".npy"]; m != nil {
				size += int(m.UncompressedSize64)
			}
		}
		return size
	}
	small := slices.DeleteFunc(slices.Clone(f.Cases), func(c *golden.Case) bool { return size(c) > largest })
	cases := someCases(small, count, size)
	if len(cases) == 0 {
		return nil
	}
	var text bytes.Buffer
	head, err := json.Marshal(struct {
		System   string `json:"system"`
		Version  string `json:"version"`
		Function string `json:"function"`
	}{f.System, f.Version, f.Function})
	if err != nil {
		return err
	}
	fmt.Fprintf(&text, "%s,\"cases\":[", bytes.TrimSuffix(head, []byte("}")))
	var keys []string
	for i, c := range cases {
		if i > 0 {
			text.WriteByte(',')
		}
		text.WriteByte('\n')
		if err := json.Compact(&text, c.Raw); err != nil {
			return err
		}
		for _, key := range c.Keys() {
			if m := members[key+".npy"]; m != nil {
				keys = append(keys, m.Name)
			}
		}
	}
	text.WriteString("\n]}\n")
	if err := writeFile(to, text.Bytes()); err != nil {
		return err
	}
	slices.Sort(keys)
	return copyMembers(members, slices.Compact(keys), golden.ArraysPath(to))
}

// someCases selects the smallest case with gradients, or that is not refused, then one of another kind: a refused one,
// or the next smallest.
func someCases(all []*golden.Case, count int, size func(*golden.Case) int) []*golden.Case {
	var run []*golden.Case
	for _, c := range all {
		if Decided(c.Variant) {
			run = append(run, c)
		}
	}
	smallest := func(want func(*golden.Case) bool) *golden.Case {
		var best *golden.Case
		for _, c := range run {
			if want(c) && (best == nil || size(c) < size(best)) {
				best = c
			}
		}
		return best
	}
	var chosen []*golden.Case
	for _, want := range []func(*golden.Case) bool{
		func(c *golden.Case) bool { return c.Grads != nil && size(c) > 300 }, // more than a single number
		func(c *golden.Case) bool { return c.Grads != nil },
		func(c *golden.Case) bool { return !c.Error && size(c) > 300 },
		func(c *golden.Case) bool { return !c.Error },
		func(c *golden.Case) bool { return true },
	} {
		for len(chosen) < count {
			c := smallest(func(c *golden.Case) bool { return want(c) && !slices.Contains(chosen, c) })
			if c == nil {
				break
			}
			chosen = append(chosen, c)
		}
	}
	slices.SortFunc(chosen, func(a, b *golden.Case) int { return strings.Compare(a.ID, b.ID) })
	return chosen
}

// zipMembers opens an archive, if it exists, and returns its members by name. The archive stays open while the program
// runs.
func zipMembers(path string) (map[string]*zip.File, error) {
	data, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	members := map[string]*zip.File{}
	for _, m := range z.File {
		members[m.Name] = m
	}
	return members, nil
}

// copyMembers writes an archive of some members, or none if names is empty.
func copyMembers(members map[string]*zip.File, names []string, to string) error {
	if len(names) == 0 {
		return nil
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range names {
		r, err := members[name].Open()
		if err != nil {
			return err
		}
		member, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate}) // without a time
		if err == nil {
			_, err = io.Copy(member, r)
		}
		r.Close()
		if err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return writeFile(to, b.Bytes())
}

func writeFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}
