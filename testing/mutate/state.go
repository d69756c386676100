package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// state is all that is known: what a file says, a line of JSON each.
type state struct {
	file     *os.File
	sources  string
	places   []place
	rejected []place
	runs     map[testID]testRun
	verdicts map[int]verdict
}

// entry is a line of the file: one of them.
type entry struct {
	Sources  string   `json:",omitempty"` // the sum of the sources that are broken
	Place    *place   `json:",omitempty"`
	Rejected *place   `json:",omitempty"` // drawn again, as it does not compile
	Run      *testRun `json:",omitempty"`
	Verdict  *verdict `json:",omitempty"`
}

// testID is a test function of a package.
type testID struct{ Package, Test string }

// testRun is what the run of an unbroken test told.
type testRun struct {
	testID
	Binary  string // its sum: another binary is another test
	Passed  bool
	Millis  int64
	Reaches []int
}

// verdict is what became of a fault.
type verdict struct {
	Number   int
	Caught   bool
	By       string            // the test, and how
	Tests    int               // how many were run
	Binaries map[string]string // of a survivor: the sums of the binaries that it survived,
	Longest  int64             // and how long the tests took, at most, in milliseconds
}

func readState(name string) (*state, error) {
	s := &state{runs: map[testID]testRun{}, verdicts: map[int]verdict{}}
	text, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	whole := bytes.LastIndexByte(text, '\n') + 1 // a run that was killed may have left part of a line
	for i, line := range bytes.Split(text[:whole], []byte("\n")) {
		if len(line) == 0 {
			continue
		}
		var e entry
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", name, i+1, err)
		}
		s.apply(e)
	}
	if s.file, err = os.OpenFile(name, os.O_CREATE|os.O_WRONLY, 0o644); err != nil {
		return nil, err
	}
	if err := s.file.Truncate(int64(whole)); err != nil {
		return nil, err
	}
	_, err = s.file.Seek(int64(whole), 0)
	return s, err
}

func (s *state) apply(e entry) {
	switch {
	case e.Sources != "":
		s.sources = e.Sources
	case e.Place != nil:
		s.places = append(s.places, *e.Place)
	case e.Rejected != nil:
		s.rejected = append(s.rejected, *e.Rejected)
	case e.Run != nil:
		s.runs[e.Run.testID] = *e.Run
	case e.Verdict != nil:
		s.verdicts[e.Verdict.Number] = *e.Verdict
	}
}

// note applies an entry and writes it.
func (s *state) note(e entry) error {
	s.apply(e)
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	_, err = s.file.Write(append(line, '\n'))
	return err
}

// checkSources notes which sources are broken, or fails where they are not those of the state.
func (s *state) checkSources(targets []*target) error {
	h := sha256.New()
	for _, t := range targets {
		for _, name := range t.files {
			fmt.Fprintf(h, "%s/%s %d\n%s", t.path, name, len(t.sources[name]), t.sources[name])
		}
	}
	sum := fmt.Sprintf("%x", h.Sum(nil))
	if s.sources == "" {
		return s.note(entry{Sources: sum})
	}
	if s.sources != sum {
		return errors.New("the sources are not those of the state: begin anew, with another file")
	}
	return nil
}
