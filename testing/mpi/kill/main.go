//go:build linux

// Command kill trains LeNet under mpirun, and kills a random rank at a random time, again and again. It checks that all processes are
// gone within five seconds, that the output names the rank, and that every snapshot on disk loads. The next ranks, of another number,
// continue from the last snapshot. A training that ends this way must end with the bytes of one that was never killed:
//
//	go build -o kill ./testing/mpi/kill && ./kill -times 100
//
// The launcher of MPICH does not name the rank, and ends the others before they can. Nor do those of Open MPI always name a rank
// that ends while MPI starts, and now and then they do not end themselves. So this is only counted: until MPI has started, the launcher
// alone can end the others.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/comm"
	"github.com/ndgrad/ndgrad/nn/comm/mpi"
	"github.com/ndgrad/ndgrad/testing/mpi/internal/training"
)

var (
	mpirun  = flag.String("mpirun", "mpirun", "the launcher")
	library = flag.String("library", "", "the library of MPI; empty is that of the launcher")
	times   = flag.Int("times", 100, "how often to kill")
	seed    = flag.Uint64("seed", uint64(time.Now().UnixNano()), "of the random numbers")
	longest = flag.Duration("longest", 2*time.Second, "the longest time from the start of the processes to the kill")
	updates = flag.Int("updates", 300, "of each training")
	source  = flag.String("data", "examples/internal", "the folder of the examples' data")
	folder  = flag.String("folder", "", "in which ranks write the numbers of their processes, and snapshots; set for ranks only")
	resume  = flag.String("resume", "", "the snapshot from which ranks continue; set for ranks only")
)

// settings are those of the training: six batches per update, which 1, 2, 3 and 6 ranks can share.
func settings(dir string) training.Settings {
	return training.Settings{Model: "lenet", Data: *source, Out: dir, Parts: 6, Updates: *updates, Every: 5, Sync: true, Sharded: true}
}

// limit is the time for all ranks to end, and launcherLimit that for the launcher to end after them.
const limit, launcherLimit = 5 * time.Second, time.Minute

func main() {
	log.SetFlags(0)
	flag.Parse()
	if *folder != "" {
		if err := rank(); err != nil {
			log.Fatal(err)
		}
		return
	}
	if err := kill(); err != nil {
		log.Fatal(err)
	}
}

func kill() error {
	fmt.Println("seed", *seed)
	random := rand.New(rand.NewPCG(*seed, 1))
	version, err := exec.Command(*mpirun, "--version").CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s --version: %w", *mpirun, err)
	}
	dir, err := os.MkdirTemp("", "ndgrad-kill-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	want, err := uninterrupted(filepath.Join(dir, "whole"))
	if err != nil {
		return err
	}
	names := strings.Contains(string(version), "Open MPI")
	failed, named, trained, starting, slowest := 0, 0, 0, 0, time.Duration(0)
	fail := func(format string, arguments ...any) {
		failed++
		fmt.Printf(format+"\n", arguments...)
	}
	out := filepath.Join(dir, "killed")
	for i := 0; i < *times; {
		last, loaded, err := lastSnapshot(out)
		if err != nil {
			return fmt.Errorf("after %d kills: %w", i, err) // without a snapshot the others mean little
		}
		if last == settings(out).SnapshotOf(*updates) {
			if trained++; loaded != want {
				fail("training %d ended with the checksum %s, one that was not killed with %s", trained, loaded, want)
			}
			if err := os.RemoveAll(out); err != nil {
				return err
			}
			continue
		}
		n := 2 + random.IntN(2)
		victim, delay := random.IntN(n), time.Duration(random.Int64N(int64(*longest)))
		took, text, opened, err := once(names, n, victim, delay, out, last)
		if errors.Is(err, errEnded) {
			continue // the training ended before the kill
		}
		i++
		if regexp.MustCompile(fmt.Sprintf(`(?i)rank\s+%d\b|\[\[\d+,\d+\],%[1]d\]|@\d+,%[1]d\]`, victim)).MatchString(text) {
			named++
		} else if names && opened && err == nil {
			err = errors.New("the output names no rank")
		}
		slowest = max(slowest, took)
		switch {
		case err == nil:
		case !opened:
			starting++
			fmt.Printf("run %d, rank %d of %d killed after %v, while MPI started: %v\n", i, victim, n, delay, err)
		default:
			fail("run %d, rank %d of %d killed after %v: %v\n%s", i, victim, n, delay, err, text)
		}
	}
	fmt.Printf("%d kills, %d faults, and %d of the launcher while MPI started; the rank named in %d; the processes were gone after at most %v; "+
		"%d trainings ended with the same bytes\n", *times, failed, starting, named, slowest.Round(time.Millisecond), trained)
	if failed > 0 {
		return fmt.Errorf("%d faults", failed)
	}
	return nil
}

// uninterrupted trains in one process, and returns the checksum of the last snapshot.
func uninterrupted(dir string) (string, error) {
	c := comm.Local(1)[0]
	defer c.Close()
	t, err := training.New(c, settings(dir))
	if err != nil {
		return "", err
	}
	if err := t.Run(context.Background()); err != nil {
		return "", err
	}
	return training.Checksum(settings(dir).SnapshotOf(*updates))
}

// lastSnapshot loads all snapshots of a folder, and removes all but the last one, whose path and checksum it returns.
func lastSnapshot(dir string) (path, sum string, err error) {
	for u := settings(dir).Every; u <= *updates; u += settings(dir).Every {
		next := settings(dir).SnapshotOf(u)
		if _, err := os.Stat(next); err != nil {
			continue
		}
		if path != "" {
			if err := os.Remove(path); err != nil {
				return "", "", err
			}
		}
		path = next
		if sum, err = training.Checksum(path); err != nil {
			return "", "", err
		}
	}
	return path, sum, nil
}

// errEnded says that the ranks ended before one could be killed.
var errEnded = errors.New("the ranks had ended")

// once starts n ranks and kills one. It returns how long the others took to end, and whether all had started MPI.
func once(openMPI bool, n, victim int, delay time.Duration, dir, from string) (took time.Duration, text string, opened bool, err error) {
	for r := range n {
		for _, name := range []string{"process", "opened"} {
			_ = os.Remove(filepath.Join(dir, name+strconv.Itoa(r)))
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 0, "", false, err
	}
	program, err := os.Executable()
	if err != nil {
		return 0, "", false, err
	}
	var arguments []string
	if openMPI {
		arguments = []string{"--allow-run-as-root", "--oversubscribe", "--bind-to", "none"}
	}
	arguments = append(arguments, "-n", strconv.Itoa(n), program, "-folder", dir, "-library", *library,
		"-data", *source, "-updates", strconv.Itoa(*updates), "-resume", from)
	var printed output
	launched := exec.Command(*mpirun, arguments...)
	launched.Stdout, launched.Stderr = &printed, &printed
	launched.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := launched.Start(); err != nil {
		return 0, "", false, err
	}
	defer func() { // also what should be gone
		_ = syscall.Kill(-launched.Process.Pid, syscall.SIGKILL)
		for _, p := range processes(dir, n) {
			_ = syscall.Kill(p, syscall.SIGKILL)
		}
	}()
	ended := make(chan error, 1)
	go func() { ended <- launched.Wait() }()
	for start := time.Now(); len(processes(dir, n)) < n; time.Sleep(time.Millisecond) {
		if time.Since(start) > time.Minute {
			return 0, printed.String(), false, errors.New("the ranks did not start within a minute")
		}
	}
	time.Sleep(delay)
	all := processes(dir, n)
	opened = len(files(dir, "opened", n)) == n
	if syscall.Kill(all[victim], syscall.SIGKILL) != nil {
		<-ended
		return 0, printed.String(), opened, errEnded
	}
	start := time.Now()
	for _, p := range all {
		for alive(p) {
			if time.Since(start) > limit {
				return limit, printed.String(), opened, fmt.Errorf("process %d still lives after %v; all ranks had started MPI: %v", p, limit, opened)
			}
			time.Sleep(time.Millisecond)
		}
	}
	took = time.Since(start)
	select {
	case err := <-ended:
		if late := time.Since(start); late > limit {
			fmt.Printf("the launcher ended %v after the kill\n", late.Round(time.Millisecond))
		}
		if _, complete := os.Stat(settings(dir).SnapshotOf(*updates)); err == nil && complete == nil {
			return took, printed.String(), opened, errEnded // all ranks had done their work
		}
		if err == nil {
			return took, printed.String(), opened, errors.New("the launcher reports success")
		}
		return took, printed.String(), opened, nil
	case <-time.After(launcherLimit):
		return took, printed.String(), opened, fmt.Errorf("the launcher still lives %v after the ranks", launcherLimit)
	}
}

// output is what the launcher prints, while it still may.
type output struct {
	lock sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(b []byte) (int, error) {
	o.lock.Lock()
	defer o.lock.Unlock()
	return o.text.Write(b)
}

func (o *output) String() string {
	o.lock.Lock()
	defer o.lock.Unlock()
	return o.text.String()
}

// processes returns the processes of the ranks that have started, by rank if all have.
func processes(dir string, n int) []int { return files(dir, "process", n) }

// files returns the numbers in the files of the ranks with the given name, by rank if all have one.
func files(dir, name string, n int) []int {
	var all []int
	for r := range n {
		text, err := os.ReadFile(filepath.Join(dir, name+strconv.Itoa(r)))
		if err != nil {
			continue
		}
		if p, err := strconv.Atoi(string(text)); err == nil {
			all = append(all, p)
		}
	}
	return all
}

// alive reports whether a process exists and is no zombie.
func alive(process int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process))
	if err != nil {
		return false
	}
	_, state, _ := strings.Cut(string(text), ") ")
	return !strings.HasPrefix(state, "Z") && !strings.HasPrefix(state, "X")
}

// rank trains.
func rank() error {
	if err := write("process"); err != nil {
		return err
	}
	ctx := context.Background()
	e, err := mpi.Open(ctx, mpi.Options{Library: *library})
	if err != nil {
		return err
	}
	c := comm.New(e)
	if err := write("opened"); err != nil {
		return err
	}
	t, err := training.New(c, settings(*folder))
	if err != nil {
		return err
	}
	if *resume != "" {
		if err := archive.Load(*resume, t); err != nil {
			return err
		}
	}
	if err := t.Run(ctx); err != nil {
		return err
	}
	return c.Close()
}

// write writes the number of the process to a file of the rank, which appears complete.
func write(name string) error {
	number := os.Getenv("OMPI_COMM_WORLD_RANK") + os.Getenv("PMI_RANK")
	part := filepath.Join(*folder, "part"+number)
	if err := os.WriteFile(part, []byte(strconv.Itoa(os.Getpid())), 0o644); err != nil {
		return err
	}
	return os.Rename(part, filepath.Join(*folder, name+number))
}
