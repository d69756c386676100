// Command compare times ndgrad beside NumPy and PyTorch on the cases of package bench. The sides take turns on one
// machine, so that a disturbance affects all of them. While one side runs, the threads of the others are stopped.
//
//	go run ./bench/compare -only '^matmul/'
//
// bench/README.md says how to set up the peers.
package main

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/ndgrad/ndgrad/bench"
	"github.com/ndgrad/ndgrad/cudaops"
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu"
)

// options are the command's flags.
type options struct {
	only    *regexp.Regexp
	threads int
	quick   bool
	memory  bool
	garbage bool
	python  string
	device  string // on which the cases run
	against string // another build of this command, compared instead of the peers
	models  string // the folder of ONNX models, compared with onnxruntime instead of the other cases
	serve   bool   // run as the other build of -against
	picture string // the SVG file to plot the table into
	table   string // a printed table to plot instead of measuring
	rounds  int
	turn    time.Duration
}

func main() {
	o, child, err := parse(os.Args[1:])
	switch {
	case err != nil:
	case child != "":
		err = reportPeak(o, os.Stdout, child)
	case o.serve:
		err = serve(o, os.Stdin, os.Stdout)
	default:
		err = run(o, os.Stdout, os.Stderr)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

// parse returns the options, or the case whose memory this process has to measure.
func parse(args []string) (o options, child string, err error) {
	flags := flag.NewFlagSet("compare", flag.ExitOnError)
	only := flags.String("only", "", "the cases whose names match this regular expression")
	threads := flags.String("threads", "1", "1, or all")
	flags.BoolVar(&o.quick, "quick", false, "a subset of the cases, with shorter turns")
	flags.BoolVar(&o.memory, "memory", false, "compare peak resident memory instead of times")
	flags.BoolVar(&o.garbage, "garbage", false, "list what calls leave to the garbage collector although their results are released")
	flags.StringVar(&o.device, "device", "cpu", "the device to compute on, such as cuda:0; torch and CuPy then use it too")
	flags.StringVar(&o.python, "python", "", "the peers' interpreter; default bench/.venv/bin/python if it exists, otherwise python3")
	flags.StringVar(&o.against, "against", "", "compare with this binary, a build of this command at another commit, instead of the peers")
	flags.StringVar(&o.models, "models", "", "compare the ONNX models in this folder, which testing/onnx/fetch fills, with onnxruntime instead")
	flags.StringVar(&o.picture, "plot", "", "draw the table into this SVG file, too")
	flags.StringVar(&o.table, "table", "", "draw the first table in this file instead of measuring: saved output, or docs/performance.md")
	flags.BoolVar(&o.serve, "serve", false, "answer another build of this command, as a peer does")
	flags.StringVar(&child, "peak", "", "print the peak memory of this case, and nothing else")
	if err := flags.Parse(args); err != nil {
		return o, "", err
	}
	if o.picture != "" && (o.memory || o.garbage || o.against != "") || o.picture == "" && o.table != "" {
		return o, "", fmt.Errorf("-plot draws the comparison with the peers, of this run or of -table")
	}
	if o.device != "cpu" && (o.memory || o.garbage || o.picture != "" || child != "") {
		return o, "", fmt.Errorf("-device works only with times, not with the other modes")
	}
	if o.models != "" && (o.quick || o.garbage || o.against != "" || o.picture != "" || o.device != "cpu") {
		return o, "", fmt.Errorf("-models works only with -only, -threads and -memory")
	}
	o.rounds, o.turn = 5, 60*time.Millisecond
	if o.quick {
		o.rounds, o.turn = 3, 25*time.Millisecond
	}
	switch *threads {
	case "1":
		o.threads = 1
	case "all":
		o.threads = runtime.NumCPU()
	default:
		return o, "", fmt.Errorf("-threads %s: want 1 or all", *threads)
	}
	if o.only, err = regexp.Compile(*only); err != nil {
		return o, "", err
	}
	if _, err := os.Stat(virtualPython); o.python == "" && err == nil {
		o.python = virtualPython
	}
	o.python = cmp.Or(o.python, "python3")
	return o, child, nil
}

// virtualPython is the interpreter that bench/README.md sets up for the peers.
const virtualPython = "bench/.venv/bin/python"

// selected returns the cases that the options select.
func (o *options) selected() (cases []bench.Case) {
	all := bench.Cases
	if o.models != "" {
		all = func() []bench.Case { return bench.Models(o.models) }
	}
	for _, c := range all() {
		if o.only.MatchString(c.Name) && (!o.quick || bench.Quick.MatchString(c.Name)) {
			cases = append(cases, c)
		}
	}
	return cases
}

// setThreads makes the library use as many threads as the peers.
func (o *options) setThreads() {
	runtime.GOMAXPROCS(o.threads)
	cpu.SetWorkers(o.threads)
}

// threadsFlag returns the value of -threads.
func (o *options) threadsFlag() string {
	if o.threads == 1 {
		return "1"
	}
	return "all"
}

// setDevice makes the cases run on the device.
func (o *options) setDevice() error {
	if o.device == "cpu" {
		return nil
	}
	dev, err := device.Get(o.device)
	if err != nil {
		if cudaops.Err() != nil {
			err = cudaops.Err()
		}
		return fmt.Errorf("-device %s: %w", o.device, err)
	}
	bench.On(dev)
	return nil
}

// onGPU reports whether the peers run on a GPU, too.
func (o *options) onGPU() bool { return strings.HasPrefix(o.device, "cuda:") }

// libraries returns the peers' libraries, in the order of their columns; an empty column has none.
func (o *options) libraries() [2]string {
	switch {
	case o.models != "":
		return [2]string{"onnxruntime"}
	case o.onGPU():
		return [2]string{"cupy", "torch"}
	}
	return [2]string{"numpy", "torch"}
}

func run(o options, out, progress io.Writer) error {
	if o.table != "" {
		return o.plot(nil)
	}
	o.setThreads()
	if err := o.setDevice(); err != nil {
		return err
	}
	folder, err := folderForFiles()
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	switch {
	case o.memory:
		return compareMemory(o, out)
	case o.garbage:
		return listGarbage(o, out, progress)
	case o.against != "":
		return compareAgainst(o, out, progress)
	}
	peers, err := startPeers(o)
	if err != nil {
		return err
	}
	defer stopAll(peers)
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt)
	go func() {
		<-interrupted
		stopAll(peers)
		os.RemoveAll(folder)
		os.Exit(1)
	}()
	var printed bytes.Buffer
	if o.picture != "" {
		out = io.MultiWriter(out, &printed)
	}
	if err := describe(o, out, peers); err != nil {
		return err
	}
	header := slices.Clone(columns)
	libraries := o.libraries()
	copy(header[3:], libraries[:])
	t := newTable(out, o.threads, header...)
	t.device, t.libraries = o.device, libraries
	cases := o.selected()
	for i, c := range cases {
		fmt.Fprintf(progress, "%d/%d %-60s\r", i+1, len(cases), c.Name)
		m, err := measure(o, c, peers)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		t.add(c, m)
	}
	fmt.Fprintf(progress, "%80s\r", "")
	if err := t.sums(); err != nil || o.picture == "" {
		return err
	}
	return o.plot(&printed)
}

// folderForFiles makes a folder, which becomes the one for temporary files of this process and of the peers.
func folderForFiles() (string, error) {
	folder, err := os.MkdirTemp("", "compare")
	if err != nil {
		return "", err
	}
	return folder, os.Setenv("TMPDIR", folder)
}

// command returns the command line of this run.
func (o *options) command() string {
	text := "go run ./bench/compare"
	if o.quick {
		text += " -quick"
	}
	if o.threadsFlag() != "1" {
		text += " -threads all"
	}
	if o.device != "cpu" {
		text += " -device " + o.device
	}
	if o.models != "" {
		text += " -models FOLDER"
	}
	if only := o.only.String(); only != "" {
		text += " -only '" + only + "'"
	}
	return text
}

// describe prints the versions and settings of the compared sides.
func describe(o options, out io.Writer, peers []*peer) error {
	fmt.Fprintln(out, o.command())
	fmt.Fprintf(out, "%s, %s/%s, %d of %d processors\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, o.threads, runtime.NumCPU())
	if text := machine(); text != "" {
		fmt.Fprintln(out, text)
	}
	for _, p := range peers {
		facts, err := p.about()
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s: %s\n", p.name, facts)
		if facts["openblas"] == "Haswell" && wideVectors() {
			return fmt.Errorf("NumPy's OpenBLAS runs its Haswell kernels on a processor with AVX-512: the comparison would not be fair")
		}
	}
	fmt.Fprintln(out)
	return nil
}
