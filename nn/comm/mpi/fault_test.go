//go:build linux && (amd64 || arm64)

package mpi_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/comm"
	"github.com/ndgrad/ndgrad/nn/comm/mpi"
)

// TestContexts ends a context during a call that waits for a message, and during one that waits for shared memory.
func TestContexts(t *testing.T) {
	for _, name := range []string{"contexts", "late"} {
		output, err := launch(t, 2, name)
		if strings.Contains(output, "FAIL") || !strings.Contains(output, "as it should") {
			t.Errorf("%s: %v\n%s", name, err, output)
		}
	}
}

// late ends rank 0's context while it waits for rank 1.
func late(ctx context.Context, t *testing.T) {
	c := comm.New(open(ctx, t))
	if c.Rank() == 1 {
		time.Sleep(time.Second)
		return
	}
	short, stop := context.WithTimeout(ctx, 50*time.Millisecond)
	defer stop()
	err := c.Barrier(short)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a barrier that nobody else reaches: %v", err)
	}
	if err := c.Barrier(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a call after one that did not end: %v", err)
	}
	if !t.Failed() {
		fmt.Println("as it should")
	}
}

func contexts(ctx context.Context, t *testing.T) {
	c := comm.New(open(ctx, t))
	ended, cancel := context.WithCancelCause(ctx)
	cancel(errors.New("it is over"))
	e := c.Barrier(ctx)
	if e != nil {
		t.Fatal(e)
	}
	short, stop := context.WithTimeout(ctx, 50*time.Millisecond)
	defer stop()
	start := time.Now()
	err := c.Recv(short, nd.Zeros([]int{1000}), 1-c.Rank()) // nobody sends
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 30*time.Second {
		t.Errorf("a receive without a message: %v", err)
	}
	if err := c.Barrier(ctx); err == nil {
		t.Error("a call after one that did not end succeeded")
	}
	if err := c.Barrier(ended); err == nil {
		t.Error("a call with a context that had ended succeeded")
	}
	if err := c.Close(); err == nil || !strings.Contains(err.Error(), "in transit") {
		t.Errorf("Close with a message in transit: %v", err)
	}
	if !t.Failed() {
		fmt.Println("as it should")
	}
	time.Sleep(200 * time.Millisecond) // both print before the launcher notices that one has ended
}

// TestFaults ends one rank in the middle, in several ways. All processes end, the launcher reports it, and the output names the
// rank.
func TestFaults(t *testing.T) {
	for _, n := range counts(t) {
		if n == 1 {
			continue
		}
		for _, how := range []string{"abort", "exits", "dies"} {
			t.Run(fmt.Sprintf("%s/%d", how, n), func(t *testing.T) {
				start := time.Now()
				output, err := launch(t, n, how)
				if err == nil {
					t.Errorf("the launcher reports no error:\n%s", output)
				}
				if d := time.Since(start); d > 30*time.Second {
					t.Errorf("the processes ended after %v", d)
				}
				// MPICH's launcher does not name the rank, and may end the others before they have printed it.
				if launcherArguments(t) == nil && how != "abort" {
					return
				}
				if !regexp.MustCompile(`(?i)rank\s+1\b|\[\[\d+,\d+\],1\]|@\d+,1\]`).MatchString(output) {
					t.Errorf("no rank is named:\n%s", output)
				}
				if how == "abort" && !strings.Contains(output, "mpi: rank 1 of ") {
					t.Errorf("Abort prints\n%s", output)
				}
			})
		}
	}
}

// endless calls until another rank has ended.
func endless(ctx context.Context, t *testing.T, e comm.Engine, c *comm.Communicator) {
	for {
		if err := c.AllReduce(ctx, []*nd.Array{nd.Zeros([]int{1 << 16})}); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
}

func aborts(ctx context.Context, t *testing.T) {
	e := open(ctx, t)
	c := comm.New(e)
	if c.Rank() == 1 {
		time.Sleep(100 * time.Millisecond)
		c.Abort(errors.New("the loss is NaN"))
	}
	endless(ctx, t, e, c)
}

func exits(ctx context.Context, t *testing.T) {
	e := open(ctx, t)
	c := comm.New(e)
	if c.Rank() == 1 {
		os.Exit(3)
	}
	endless(ctx, t, e, c)
}

func dies(ctx context.Context, t *testing.T) {
	e := open(ctx, t)
	c := comm.New(e)
	if c.Rank() == 1 {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
	endless(ctx, t, e, c)
}

// TestBuilds starts two executables together.
func TestBuilds(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	binary, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "other")
	if err := os.WriteFile(other, append(binary, 0), 0o755); err != nil {
		t.Fatal(err)
	}
	rank := []string{"-test.run=^TestPart$", "-part=builds", "-library=" + *library}
	arguments := append(launcherArguments(t), "-n", "1", program)
	arguments = append(append(append(arguments, rank...), ":", "-n", "1", other), rank...)
	ctx, cancel := context.WithTimeout(t.Context(), deadline())
	defer cancel()
	output, err := exec.CommandContext(ctx, launcher(t), arguments...).CombinedOutput()
	if err != nil || !strings.Contains(string(output), "refused, as it should be") {
		t.Errorf("%v\n%s", err, output)
	}
}

func builds(ctx context.Context, t *testing.T) {
	_, err := mpi.Open(ctx, mpi.Options{Library: *library})
	if err == nil || !strings.Contains(err.Error(), "another build of the program") {
		t.Fatalf("ranks of two executables: %v", err)
	}
	fmt.Println("refused, as it should be")
}
