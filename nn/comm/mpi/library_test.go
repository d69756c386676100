//go:build linux && (amd64 || arm64)

package mpi_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/comm"
	"github.com/ndgrad/ndgrad/nn/comm/mpi"
)

// compile makes a library of C with the given name, or skips the test.
func compile(t *testing.T, name, source string, flags ...string) string {
	t.Helper()
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no gcc")
	}
	file := filepath.Join(t.TempDir(), name)
	arguments := append([]string{"-shared", "-fPIC", "-O1", "-pthread", "-o", file}, flags...)
	if output, err := exec.Command("gcc", append(arguments, source)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	return file
}

// text makes a library that only says what it is, with further lines of C.
func text(t *testing.T, name, version, more string) string {
	t.Helper()
	source := filepath.Join(t.TempDir(), "version.c")
	code := "#include <string.h>\nint MPI_Get_library_version(char *t, int *n) { strcpy(t, \"" + version + "\"); return 0; }\n" + more
	if err := os.WriteFile(source, []byte(code), 0o644); err != nil {
		t.Fatal(err)
	}
	return compile(t, name, source)
}

// TestRefusedLibraries opens libraries that do not fit. The errors say which they are, what is missing and what to install.
func TestRefusedLibraries(t *testing.T) {
	nothing := filepath.Join(t.TempDir(), "nothing.c")
	if err := os.WriteFile(nothing, []byte("int nothing;\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		"/nowhere/libmpi.so":                                                                         "/nowhere/libmpi.so",
		compile(t, "libother.so", nothing):                                                           "no MPI_Get_library_version",
		text(t, "libmpi.so.12", `MPICH Version:\t4.0.2`, ""):                                         "it is MPICH 4.0.2, which does not fit",
		text(t, "libmpi.so.12", `Intel(R) MPI Library 2021.11 for Linux* OS\n`, ""):                  "it is Intel(R) MPI Library 2021.11 for Linux* OS, which does not fit",
		text(t, "libmpi.so.40", "Open MPI v3.1.6, package: x", "int ompi_mpi_comm_world;"):           "it is Open MPI 3.1.6: want Open MPI 4 or 5",
		text(t, "libmpi.so.40", "Open MPI v4.1.4, package: x", "int ompi_mpi_comm_world;"):           "has no ompi_mpi_",
		compile(t, "libmpi_abi.so.1", filepath.Join("testdata", "mpi.c"), "-DINCOMPLETE"):            "it is Testing MPI 5.0.1, which has no MPI_Ibarrier",
		text(t, "libmpi_abi.so.1", `MPICH Version:      5.0.2\nMPICH Release date: x`, "int other;"): "it is MPICH 5.0.2, which has no MPI_Initialized, MPI_Init_thread",
	} {
		t.Setenv("OMPI_MCA_opal_signal", "") // what the testing library looks for
		t.Setenv("UCX_ERROR_SIGNALS", "")
		_, err := mpi.Open(t.Context(), mpi.Options{Library: file})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "pip install mpich==5.0.2") || !strings.HasPrefix(err.Error(), "mpi.Open: ") {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// alone runs a part as the only rank, in a process of its own, with the library of testdata.
func alone(t *testing.T, name string, flags ...string) string {
	t.Helper()
	library := compile(t, "libmpi_abi.so.1", filepath.Join("testdata", "mpi.c"), flags...)
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), deadline())
	defer cancel()
	c := exec.CommandContext(ctx, program, "-test.run=^TestPart$", "-part="+name, "-library="+library)
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "OMPI_") && !strings.HasPrefix(v, "PMI") {
			c.Env = append(c.Env, v)
		}
	}
	output, err := c.CombinedOutput()
	if err != nil || strings.Contains(string(output), "MISUSE") {
		t.Errorf("%s with %v: %v\n%s", name, flags, err, output)
	}
	return string(output)
}

// TestThreads runs collectives from many goroutines with libraries that permit calls of one thread only, and one call at a
// time.
func TestThreads(t *testing.T) {
	alone(t, "threads", "-DLEVEL=1024")
	alone(t, "threads", "-DLEVEL=2048")
	alone(t, "level", "-DLEVEL=0")
}

func threads(ctx context.Context, t *testing.T) {
	c := comm.New(open(ctx, t))
	if c.Engine() != "MPI (Testing MPI 5.0.1)" {
		t.Error(c.Engine())
	}
	var running sync.WaitGroup
	for _, name := range []string{"a", "b", "c", "d"} {
		g, err := c.NewGroup(ctx, name, []int{0})
		if err != nil {
			t.Fatal(err)
		}
		running.Go(func() {
			for i := range 300 {
				xs := []*nd.Array{nd.Zeros([]int{i})}
				if err := g.AllReduce(ctx, xs, comm.ReduceOptions{Fast: i%3 > 0}); err != nil {
					t.Error(err)
				}
				if err := g.Bcast(ctx, xs, 0); err != nil {
					t.Error(err)
				}
				if i%10 == 0 {
					if err := g.Barrier(ctx); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	running.Wait()
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// level opens a library without threads.
func level(ctx context.Context, t *testing.T) {
	_, err := mpi.Open(ctx, mpi.Options{Library: *library})
	if err == nil || !strings.Contains(err.Error(), "MPI_THREAD_FUNNELED") {
		t.Errorf("%v", err)
	}
}

// TestHandlersOfLibrary runs the checks of Go's runtime with a library that installs handlers.
func TestHandlersOfLibrary(t *testing.T) { alone(t, "runtime") }
