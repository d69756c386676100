package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// workshop builds the tests with all faults in them, and runs them.
type workshop struct {
	dir    string
	jobs   int
	suites []suite
}

// suite is the test binary of a package.
type suite struct{ path, dir, binary, sum string }

// tested are the packages whose tests are run.
var tested = []string{"./nd/...", "./device/...", "./nn/...", "./testing/..."}

// build writes the mutated sources and builds the tests of every package with them.
func (w *workshop) build(s *state, targets []*target) error {
	overlay := map[string]string{}
	write := func(name, instead string, content []byte) error {
		file := filepath.Join(w.dir, "src", name)
		overlay[instead] = file
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if old, err := os.ReadFile(file); err == nil && bytes.Equal(old, content) {
			return nil
		}
		return os.WriteFile(file, content, 0o644)
	}
	var err error
	if w.dir, err = filepath.Abs(w.dir); err != nil {
		return err
	}
	for _, t := range targets {
		edited := t.edited(s.faults)
		if len(edited) == 0 {
			continue
		}
		edited[switchFile] = t.switchSource()
		for name, content := range edited {
			if err := write(filepath.Join(t.path, name), filepath.Join(t.dir, name), content); err != nil {
				return err
			}
		}
	}
	replaced, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		return err
	}
	overlayFile := filepath.Join(w.dir, "overlay.json")
	if err := os.WriteFile(overlayFile, replaced, 0o644); err != nil {
		return err
	}
	all, err := list(tested...)
	if err != nil {
		return err
	}
	for _, p := range all {
		if len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 || p.ImportPath == module+"testing/mutate" {
			continue
		}
		binary := filepath.Join(w.dir, "bin", strings.ReplaceAll(strings.TrimPrefix(p.ImportPath, module), "/", "-")+".test")
		build := exec.Command("go", "test", "-c", "-trimpath", "-vet=off", "-overlay", overlayFile, "-o", binary, p.ImportPath)
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", p.ImportPath, err, out)
		}
		sum, err := sumOf(binary)
		if err != nil {
			return err
		}
		w.suites = append(w.suites, suite{p.ImportPath, p.Dir, binary, sum})
	}
	return nil
}

func sumOf(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return fmt.Sprintf("%x", h.Sum(nil)[:8]), err
}

// each runs work for every item, several at a time, until one fails.
func each[T any](jobs int, items []T, work func(T) error) error {
	var group sync.WaitGroup
	var mutex sync.Mutex
	var first error
	next := 0
	for range jobs {
		group.Go(func() {
			for {
				mutex.Lock()
				i, stop := next, first != nil
				next++
				mutex.Unlock()
				if stop || i >= len(items) {
					return
				}
				if err := work(items[i]); err != nil {
					mutex.Lock()
					first = err
					mutex.Unlock()
				}
			}
		})
	}
	group.Wait()
	return first
}

// outcome is the result of a run of tests.
type outcome struct {
	passed, late bool
	output       string
	took         time.Duration
}

// test runs tests of a suite with one fault active, or none, in limited memory.
func (w *workshop) test(s suite, number int, log string, limit time.Duration, names ...string) outcome {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	const bounded = `ulimit -v 8388608; exec "$@"`
	c := exec.CommandContext(ctx, "sh", "-c", bounded, "sh", s.binary, "-test.failfast", "-test.timeout=0", "-test.run", "^("+strings.Join(names, "|")+")$")
	c.Dir, c.WaitDelay = s.dir, 5*time.Second
	c.Env = append(os.Environ(), mutantVariable+"="+strconv.Itoa(number), logVariable+"="+log)
	began := time.Now()
	out, err := c.CombinedOutput()
	return outcome{err == nil, ctx.Err() != nil, string(out), time.Since(began)}
}

// record runs every new test without a fault and records the faults that it reaches. A test that took too long in an
// earlier build is left out, and its earlier record is dropped.
func (w *workshop) record(s *state, longest int64) error {
	type work struct {
		suite
		name string
	}
	var all []work
	for _, suite := range w.suites {
		out, err := exec.Command(suite.binary, "-test.list", "^(Test|Fuzz|Example)").Output()
		if err != nil {
			return fmt.Errorf("%s: %w", suite.path, err)
		}
		present := map[string]bool{}
		for name := range strings.FieldsSeq(string(out)) {
			present[name] = true
			if r := s.runs[testID{suite.path, name}]; r.Binary != suite.sum && r.Millis <= longest {
				all = append(all, work{suite, name})
			}
		}
		maps.DeleteFunc(s.runs, func(id testID, _ testRun) bool { return id.Package == suite.path && !present[id.Test] })
	}
	fmt.Fprintf(os.Stderr, "recording %d tests\n", len(all))
	var mutex sync.Mutex
	return each(w.jobs, all, func(t work) error {
		log := filepath.Join(w.dir, filepath.Base(t.binary)+"."+t.name+".log")
		os.Remove(log)
		defer os.Remove(log)
		o := w.test(t.suite, 0, log, 20*time.Minute, t.name)
		run := testRun{testID: testID{t.path, t.name}, Binary: t.sum, Passed: o.passed, Millis: o.took.Milliseconds()}
		if reached, err := os.ReadFile(log); err == nil {
			for number := range strings.FieldsSeq(string(reached)) {
				n, err := strconv.Atoi(number)
				if err != nil {
					return err
				}
				run.Reaches = append(run.Reaches, n)
			}
		}
		slices.Sort(run.Reaches)
		if !o.passed {
			fmt.Fprintf(os.Stderr, "%s %s fails without a fault, and is left out:\n%s\n", t.path, t.name, last(o.output, 500))
		}
		mutex.Lock()
		defer mutex.Unlock()
		return s.note(entry{Run: &run})
	})
}

func last(s string, n int) string { return s[max(0, len(s)-n):] }
