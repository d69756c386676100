package runner

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
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
	return writePart(goldenDir, out, func(s golden.Suite, all []*golden.Case, size func(*golden.Case) int) []*golden.Case {
		if s.Kind() == golden.Trainings {
			all = slices.DeleteFunc(slices.Clone(all), func(c *golden.Case) bool { return size(c) > largestTraining })
			return someCases(all, trainingsPerNet, size)
		}
		return someCases(all, casesPerFunction, size)
	})
}

// WriteSample is like WriteSubset, but draws the cases: count of every function and trained net, of any size, among them
// one with gradients if there is any. The draw depends only on the seed and the IDs of the cases.
func WriteSample(goldenDir, out string, count int, seed uint64) error {
	return writePart(goldenDir, out, func(_ golden.Suite, all []*golden.Case, _ func(*golden.Case) int) []*golden.Case {
		return drawnCases(all, count, seed)
	})
}

// choice selects cases of one file. size returns the bytes of a case's arrays.
type choice func(s golden.Suite, all []*golden.Case, size func(*golden.Case) int) []*golden.Case

// writePart replaces the folder out by a part of every suite.
func writePart(goldenDir, out string, choose choice) error {
	suites, err := golden.Suites(goldenDir)
	if err != nil {
		return err
	}
	r, err := New(catalogue.Rows())
	if err != nil {
		return err
	}
	if err := removeSuites(out); err != nil {
		return err
	}
	for _, s := range suites {
		to := filepath.Join(out, s.Name)
		var err error
		switch s.Kind() {
		case golden.Functions, golden.Solvers, golden.Trainings, golden.Exercises:
			err = r.caseSubset(s, to, choose)
		case golden.Accuracy:
			err = r.accuracySubset(s, to)
		case golden.NpyFiles:
			err = npySubset(s, to)
		case golden.Files:
			if s.Name == "files/onnx" {
				err = onnxSubset(s, to)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// removeSuites removes the suites in a folder, but those of files.
func removeSuites(out string) error {
	suites, err := golden.Suites(out)
	if err != nil { // there is no folder, or none of suites
		return os.RemoveAll(out)
	}
	for _, s := range suites {
		if s.Kind() == golden.Files {
			continue
		}
		if err := os.RemoveAll(s.Dir); err != nil {
			return err
		}
	}
	return nil
}

func (r *Runner) caseSubset(s golden.Suite, to string, choose choice) error {
	for f, err := range s.Open() {
		if err != nil {
			return err
		}
		if s.Kind() == golden.Trainings || r.functions[f.Function] != nil {
			err = writeCases(s, f, choose, filepath.Join(to, filepath.Base(f.Path)))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.Path, err)
		}
	}
	return nil
}

// writeCases writes the chosen cases of a file and the arrays that they name. It writes nothing if none is chosen.
func writeCases(s golden.Suite, f *golden.File, choose choice, to string) error {
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
	cases := choose(s, f.Cases, size)
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

// drawnCases draws count of the cases that this library follows.
func drawnCases(all []*golden.Case, count int, seed uint64) []*golden.Case {
	drawn := slices.DeleteFunc(slices.Clone(all), func(c *golden.Case) bool { return !Decided(c.Variant) })
	lot := func(c *golden.Case) string {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", seed, c.ID))
		return string(sum[:])
	}
	slices.SortFunc(drawn, func(a, b *golden.Case) int { return strings.Compare(lot(a), lot(b)) })
	if i := slices.IndexFunc(drawn, func(c *golden.Case) bool { return c.Grads != nil }); i > 0 {
		graded := drawn[i]
		drawn = slices.Insert(slices.Delete(drawn, i, i+1), 0, graded)
	}
	drawn = drawn[:min(count, len(drawn))]
	slices.SortFunc(drawn, func(a, b *golden.Case) int { return strings.Compare(a.ID, b.ID) })
	return drawn
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

// copyMembers writes an archive of some members and of further ones, or none if names is empty.
func copyMembers(members map[string]*zip.File, names []string, to string, more ...member) error {
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
	for _, m := range more {
		if err := m.write(w); err != nil {
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
