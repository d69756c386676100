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

// state is the content of the state file, which has one line of JSON per entry.
type state struct {
	file     *os.File
	sources  string
	faults   []fault
	rejected []fault
	runs     map[testID]testRun
	verdicts map[int]verdict
}

// entry is a line of the file; one of its fields is set.
type entry struct {
	Sources  string   `json:",omitempty"` // checksum of the mutated sources
	Fault    *fault   `json:",omitempty"`
	Rejected *fault   `json:",omitempty"` // drawn again because it does not compile
	Run      *testRun `json:",omitempty"`
	Verdict  *verdict `json:",omitempty"`
}

// testID is a test function of a package.
type testID struct{ Package, Test string }

// testRun is the result of a test run without a fault.
type testRun struct {
	testID
	Binary  string // its checksum: another binary is another test
	Passed  bool
	Millis  int64
	Reaches []int
}

// verdict is the result for a fault.
type verdict struct {
	Number   int
	Caught   bool
	By       string            // the test that found it, and how
	Tests    int               // number of tests that ran
	Binaries map[string]string // for a survivor: the checksums of the binaries that it survived
	Longest  int64             // for a survivor: the longest duration of a test, in milliseconds
}

func readState(name string) (*state, error) {
	s := &state{runs: map[testID]testRun{}, verdicts: map[int]verdict{}}
	text, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	whole := bytes.LastIndexByte(text, '\n') + 1 // a killed run may have left an incomplete line
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
	case e.Fault != nil:
		s.faults = append(s.faults, *e.Fault)
	case e.Rejected != nil:
		s.rejected = append(s.rejected, *e.Rejected)
	case e.Run != nil:
		s.runs[e.Run.testID] = *e.Run
	case e.Verdict != nil:
		s.verdicts[e.Verdict.Number] = *e.Verdict
	}
}

// note applies an entry and appends it to the file.
func (s *state) note(e entry) error {
	s.apply(e)
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	_, err = s.file.Write(append(line, '\n'))
	return err
}

// checkSources records the checksum of the sources, or fails if it differs from that of the state.
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
		return errors.New("the sources differ from those of the state file: start again with a new file")
	}
	return nil
}
