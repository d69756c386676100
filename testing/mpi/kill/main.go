//go:build linux

// Command kill starts ranks under mpirun, kills a random one at a random time, and checks that all processes are gone
// within five seconds and that the output names the rank:
//
//	go build -o kill ./testing/mpi/kill && ./kill -times 100
//
// The launcher of MPICH does not name the rank, and ends the others before they can. Nor do those of Open MPI always name a rank
// that ends while MPI starts. So there it is only counted how often the rank is named.
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
	"syscall"
	"time"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/comm"
	"github.com/ndgrad/ndgrad/nn/comm/mpi"
)

var (
	mpirun  = flag.String("mpirun", "mpirun", "the launcher")
	library = flag.String("library", "", "the library of MPI; empty is that of the launcher")
	n       = flag.Int("n", 3, "number of ranks")
	times   = flag.Int("times", 100, "how often to kill")
	seed    = flag.Uint64("seed", uint64(time.Now().UnixNano()), "of the random numbers")
	longest = flag.Duration("longest", 2*time.Second, "the longest time from the start of the processes to the kill")
	folder  = flag.String("folder", "", "of the files in which ranks write the numbers of their processes; set for ranks only")
)

// limit is the time for all ranks to end, and launcherLimit that for the launcher to end after them.
const limit, launcherLimit = 5 * time.Second, time.Minute

func main() {
	log.SetFlags(0)
	flag.Parse()
	if *folder != "" {
		log.Fatal(rank())
	}
	fmt.Println("seed", *seed)
	random := rand.New(rand.NewPCG(*seed, 1))
	version, err := exec.Command(*mpirun, "--version").CombinedOutput()
	if err != nil {
		log.Fatalf("%s --version: %v", *mpirun, err)
	}
	names := strings.Contains(string(version), "Open MPI")
	failed, named, slowest := 0, 0, time.Duration(0)
	for i := range *times {
		victim, delay := random.IntN(*n), time.Duration(random.Int64N(int64(*longest)))
		took, output, opened, err := once(names, victim, delay)
		if regexp.MustCompile(fmt.Sprintf(`(?i)rank\s+%d\b|\[\[\d+,\d+\],%[1]d\]|@\d+,%[1]d\]`, victim)).MatchString(output) {
			named++
		} else if names && opened && err == nil {
			err = errors.New("the output names no rank")
		}
		slowest = max(slowest, took)
		if err != nil {
			failed++
			fmt.Printf("run %d, rank %d killed after %v: %v\n%s\n", i, victim, delay, err, output)
		}
	}
	fmt.Printf("%d runs, %d failed, the rank named in %d; the processes were gone after at most %v\n", *times, failed, named, slowest.Round(time.Millisecond))
	if failed > 0 {
		os.Exit(1)
	}
}

// once starts the ranks and kills one. It returns how long the others took to end, and whether all had started MPI.
func once(openMPI bool, victim int, delay time.Duration) (took time.Duration, output string, opened bool, err error) {
	dir, err := os.MkdirTemp("", "ndgrad-kill-")
	if err != nil {
		return 0, "", false, err
	}
	defer os.RemoveAll(dir)
	program, err := os.Executable()
	if err != nil {
		return 0, "", false, err
	}
	var arguments []string
	if openMPI {
		arguments = []string{"--allow-run-as-root", "--oversubscribe", "--bind-to", "none"}
	}
	arguments = append(arguments, "-n", strconv.Itoa(*n), program, "-folder", dir, "-library", *library)
	var printed bytes.Buffer
	launched := exec.Command(*mpirun, arguments...)
	launched.Stdout, launched.Stderr = &printed, &printed
	launched.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := launched.Start(); err != nil {
		return 0, "", false, err
	}
	defer func() { // also what should be gone
		_ = syscall.Kill(-launched.Process.Pid, syscall.SIGKILL)
		for _, p := range processes(dir) {
			_ = syscall.Kill(p, syscall.SIGKILL)
		}
	}()
	ended := make(chan error, 1)
	go func() { ended <- launched.Wait() }()
	for start := time.Now(); len(processes(dir)) < *n; time.Sleep(time.Millisecond) {
		if time.Since(start) > time.Minute {
			return 0, printed.String(), false, errors.New("the ranks did not start within a minute")
		}
	}
	time.Sleep(delay)
	all := processes(dir)
	opened = len(files(dir, "opened")) == *n
	if err := syscall.Kill(all[victim], syscall.SIGKILL); err != nil {
		return 0, "", false, fmt.Errorf("the rank had ended before it was killed: %w", err)
	}
	start := time.Now()
	for _, p := range all {
		for alive(p) {
			if time.Since(start) > limit {
				return limit, "", opened, fmt.Errorf("process %d still lives after %v", p, limit)
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
		if err == nil {
			return took, printed.String(), opened, errors.New("the launcher reports success")
		}
		return took, printed.String(), opened, nil
	case <-time.After(launcherLimit):
		return took, "", opened, fmt.Errorf("the launcher still lives %v after the ranks", launcherLimit)
	}
}

// processes returns the processes of the ranks that have started, by rank if all have.
func processes(dir string) []int { return files(dir, "process") }

// files returns the numbers in the files of the ranks with the given name, by rank if all have one.
func files(dir, name string) []int {
	var all []int
	for r := range *n {
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

// rank adds up numbers until another rank ends.
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
	x := nd.Zeros([]int{1 << 15})
	for {
		if err := c.AllReduce(ctx, []*nd.Array{x}); err != nil {
			return err
		}
	}
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
