//go:build linux && (amd64 || arm64)

package mpi_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ndgrad/ndgrad/nn/comm"
	"github.com/ndgrad/ndgrad/nn/comm/mpi"
)

var (
	mpirun  = flag.String("mpirun", "", "the launcher; empty is the one in PATH")
	library = flag.String("library", "", "the library of MPI; empty is that of the launcher")
	ranks   = flag.String("ranks", "2", "numbers of processes to run")
	all     = flag.Bool("all", false, "all sizes and layouts, up to ten million elements")
	part    = flag.String("part", "", "the function that this process runs as a rank")
)

// deadline returns the time for all ranks of one launch, also on a busy machine.
func deadline() time.Duration {
	if *all {
		return 10 * time.Minute
	}
	return 3 * time.Minute
}

// launch runs a part of the tests as n ranks, and returns what they printed.
func launch(t *testing.T, n int, name string, environment ...string) (string, error) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), deadline())
	defer cancel()
	arguments := append(launcherArguments(t), "-n", strconv.Itoa(n), program, "-test.run=^TestPart$", "-test.timeout="+deadline().String(), "-part="+name)
	if *all {
		arguments = append(arguments, "-all")
	}
	if *library != "" {
		arguments = append(arguments, "-library="+*library)
	}
	c := exec.CommandContext(ctx, launcher(t), arguments...)
	c.Env = append(os.Environ(), environment...)
	var output bytes.Buffer
	c.Stdout, c.Stderr = &output, &output
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	c.WaitDelay = 5 * time.Second
	err = c.Run()
	if ctx.Err() != nil {
		t.Fatalf("%s of %d ranks did not end within %v:\n%s", name, n, deadline(), &output)
	}
	return output.String(), err
}

// launcher returns the path of mpirun, or skips the test.
func launcher(t *testing.T) string {
	t.Helper()
	path := *mpirun
	if path == "" {
		found, err := exec.LookPath("mpirun")
		if err != nil {
			t.Skip("no mpirun in PATH: testing/mpi/run installs two libraries and runs this test with both")
		}
		path = found
	}
	return path
}

// launcherArguments returns the options with which any number of ranks may run anywhere, also as root.
func launcherArguments(t *testing.T) []string {
	version, err := exec.Command(launcher(t), "--version").CombinedOutput()
	if err != nil {
		t.Skipf("%s --version: %v", launcher(t), err)
	}
	if strings.Contains(string(version), "Open MPI") || strings.Contains(string(version), "PRRTE") {
		return []string{"--allow-run-as-root", "--oversubscribe", "--bind-to", "none"}
	}
	return nil
}

// counts returns the numbers of ranks to test.
func counts(t *testing.T) []int {
	var numbers []int
	for text := range strings.SplitSeq(*ranks, ",") {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		numbers = append(numbers, n)
	}
	return numbers
}

// TestPart is what each rank runs.
func TestPart(t *testing.T) {
	if *part == "" {
		t.Skip("no rank")
	}
	f := parts()[*part]
	if f == nil {
		t.Fatalf("no part %q", *part)
	}
	ctx, cancel := context.WithTimeout(t.Context(), deadline()-10*time.Second)
	defer cancel()
	f(ctx, t)
}

// open connects the ranks.
func open(ctx context.Context, t *testing.T) comm.Engine {
	t.Helper()
	e, err := mpi.Open(ctx, mpi.Options{Library: *library})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// passes launches a part and reports what failed.
func passes(t *testing.T, name string) {
	for _, n := range counts(t) {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			if output, err := launch(t, n, name); err != nil {
				t.Errorf("%s: %v\n%s", filepath.Base(launcher(t)), err, output)
			}
		})
	}
}
