package main

import (
	"bufio"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

//go:embed peer/*.py
var sources embed.FS

// script returns the program of a library's peer: its parts in order.
func script(library string) string {
	var all strings.Builder
	parts := []string{"settings", "operations", "networks", "indexing", "equations", "spectra", "transforms", "beyond", "training", "optimizers", "natural", "files", "answers"}
	if library == "onnxruntime" {
		parts = []string{"settings", "models", "answers"}
	}
	for _, part := range parts {
		text, err := sources.ReadFile("peer/" + part + ".py")
		if err != nil {
			panic(err) // cannot happen: the files are embedded
		}
		all.Write(text)
		all.WriteString("\n\n")
	}
	return all.String()
}

// peer is a process that waits for its turn: Python, or another build of this command.
type peer struct {
	name    string // of the column
	library string
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	knows   bool // whether it has the current case
}

// keepBlocks makes glibc keep large blocks instead of returning them to the system at once. torch is timed with and
// without these settings.
var keepBlocks = []string{"MALLOC_MMAP_THRESHOLD_=4294967296", "MALLOC_TRIM_THRESHOLD_=8589934592", "MALLOC_TOP_PAD_=268435456"}

// startPeers starts the peers of the device: on a GPU, the libraries that the interpreter has.
func startPeers(o options) ([]*peer, error) {
	var peers []*peer
	all := []*peer{{name: "numpy", library: "numpy"}, {name: "torch", library: "torch"}, {name: "torch, kept blocks", library: "torch"}}
	if o.models != "" {
		all = []*peer{{name: "onnxruntime", library: "onnxruntime"}}
	}
	if o.onGPU() {
		all = slices.DeleteFunc([]*peer{{name: "cupy", library: "cupy"}, {name: "torch", library: "torch"}}, func(p *peer) bool {
			return exec.Command(o.python, "-c", "import numpy, scipy, "+p.library).Run() != nil
		})
	}
	for _, p := range all {
		var env []string
		if p.name != p.library {
			env = keepBlocks
		}
		if err := p.startScript(o, env); err != nil {
			stopAll(peers)
			return nil, err
		}
		peers = append(peers, p)
	}
	return peers, nil
}

// startScript runs the script, which imports the peer's library.
func (p *peer) startScript(o options, env []string) error {
	if err := p.start(o.python, []string{"-c", script(p.library), p.library, strconv.Itoa(o.threads), o.peersDevice(), o.models}, env); err != nil {
		return fmt.Errorf("%w: bench/README.md says how to set up the peers", err)
	}
	return nil
}

// peersDevice returns the device of the peers.
func (o *options) peersDevice() string {
	if o.onGPU() {
		return o.device
	}
	return "cpu"
}

// start runs a program that answers requests, and pauses it.
func (p *peer) start(program string, args, env []string) (err error) {
	p.cmd = exec.Command(program, args...)
	p.cmd.Env = append(slices.DeleteFunc(os.Environ(), func(s string) bool { return strings.HasPrefix(s, "MALLOC_") }), env...)
	p.cmd.Stderr = os.Stderr
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	p.out = bufio.NewReader(out)
	if err := p.cmd.Start(); err != nil {
		return err
	}
	pause(p.cmd.Process)
	return nil
}

func stopAll(peers []*peer) {
	for _, p := range peers {
		_ = p.cmd.Process.Kill() // the process has no state worth saving
		_ = p.cmd.Wait()
	}
}

// ask lets the process run until it has answered with a line.
func (p *peer) ask(answer any, words ...string) error {
	resume(p.cmd.Process)
	defer pause(p.cmd.Process)
	if _, err := fmt.Fprintln(p.in, strings.Join(words, " ")); err != nil {
		return fmt.Errorf("%s is gone: %w", p.name, err)
	}
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("%s is gone: %w (bench/README.md says how to set up the peers)", p.name, err)
	}
	var problem struct{ Error string }
	if err := json.Unmarshal(line, &problem); err != nil {
		return fmt.Errorf("%s answered %.80q: %w", p.name, line, err)
	}
	if problem.Error != "" {
		return fmt.Errorf("%s: %s", p.name, problem.Error)
	}
	return json.Unmarshal(line, answer)
}

// facts describe a peer.
type facts map[string]string

func (f facts) String() string {
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(f)) {
		parts = append(parts, key+" "+f[key])
	}
	return strings.Join(parts, ", ")
}

func (p *peer) about() (f facts, err error) { return f, p.ask(&f, "about") }

// setup prepares a case, if the library has it.
func (p *peer) setup(name string) error {
	var answer struct{ Known bool }
	err := p.ask(&answer, "setup", name)
	p.knows = answer.Known
	return err
}

// time returns the nanoseconds of one operation, measured for about the given time. Another build also returns the time
// without Release, if the case has results.
func (p *peer) time(seconds float64) (ns, unreleased float64, err error) {
	var answer struct{ NS, Unreleased float64 }
	err = p.ask(&answer, "time", strconv.FormatFloat(seconds, 'g', -1, 64))
	return answer.NS, answer.Unreleased, err
}

// repeat runs the prepared case the given number of times.
func (p *peer) repeat(times int) error {
	return p.ask(&struct{}{}, "repeat", strconv.Itoa(times))
}

// peak returns the largest resident size so far, in bytes.
func (p *peer) peak() (int64, error) {
	var answer struct{ Bytes int64 }
	err := p.ask(&answer, "memory")
	return answer.Bytes, err
}
