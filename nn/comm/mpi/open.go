package mpi

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unsafe"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/comm"
)

// Options are the options of [Open].
type Options struct {
	// Library is the file of the library to load. Empty means the one beside the launcher, or that of the system.
	Library string
}

func init() {
	comm.Register("mpi", func(ctx context.Context) (comm.Engine, error) { return Open(ctx) })
}

var opened struct {
	sync.Mutex
	ever bool
}

// Open loads the library of MPI and starts it. All ranks call it, once in a process. comm.Open does so by itself; the
// engine that Open returns is for comm.New:
//
//	e, err := mpi.Open(ctx, mpi.Options{Library: "/opt/mpi/lib/libmpi_abi.so.1"})
//	…
//	c := comm.New(e)
//
// Without a launcher there is one rank. The error says if no library is found, if it does not fit, if it is not that of the launcher, or
// if the ranks are not the same executable.
func Open(ctx context.Context, opts ...Options) (comm.Engine, error) {
	const fn nd.Func = "mpi.Open"
	o := options.Read(fn, opts)
	e, err := open(ctx, o.Library)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", fn, err)
	}
	return e, nil
}

func open(ctx context.Context, path string) (*engine, error) {
	if !loadable {
		return nil, fmt.Errorf("libraries of MPI can be loaded on Linux and macOS only (amd64, arm64), not on %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	opened.Lock()
	defer opened.Unlock()
	if opened.ever {
		return nil, errors.New("MPI was started in this process already, and it starts only once: keep the communicator, and make groups of it")
	}
	by := launchedBy(os.LookupEnv)
	restore := saveHandlers()
	setenv("OMPI_MCA_opal_signal", "") // Open MPI installs no handlers then
	setenv("UCX_ERROR_SIGNALS", "")    // nor does UCX
	setenv("OMPI_MCA_osc", "^ucx")     // which shares no memory, and prints that it does not
	l, err := load(path, by)
	restore() // of what the library did when it was loaded
	if err != nil {
		return nil, err
	}
	opened.ever = true
	e := &engine{thread: newThread(), memory: &memory{blocks: map[any]block{}}, device: nd.Empty(nil).Device()}
	e.thread.library = l
	e.thread.unwatch = func() {}
	e.world = e
	go e.thread.run()
	err = e.thread.do(ctx, &operation{name: "Init", alone: true, start: func(*operation, int) (bool, error) {
		defer restore()
		return false, e.start()
	}})
	if err != nil {
		return nil, fmt.Errorf("%s (%s): %w", l.path, l.version, err)
	}
	if by.size > 0 && e.size != by.size {
		e.Close()
		return nil, fmt.Errorf("%s says that %d processes were started, but %s (%s) knows of %d: it is not the library of the launcher; name that one by Options.Library, or put the mpirun of the library first in PATH",
			by.variable, by.size, l.path, l.version, e.size)
	}
	if err := e.introduce(ctx); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// load loads the given library, or finds one.
func load(path string, by launcher) (*library, error) {
	if path == "" {
		return find(by)
	}
	l, err := loadFrom(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; %s", path, err, install)
	}
	return l, nil
}

// start starts MPI, on the thread.
func (e *engine) start() error {
	l := e.thread.library
	flag, level := new(int32), new(int32)
	if err := l.call(initialized, uintptr(unsafe.Pointer(flag))); err != nil {
		return err
	}
	if *flag != 0 {
		return errors.New("MPI was started in this process by other code")
	}
	const funneled, serialized = 1, 2
	if err := l.call(initThread, 0, 0, uintptr(l.threads[serialized]), uintptr(unsafe.Pointer(level))); err != nil {
		return err
	}
	provided := slices.Index(l.threads[:], *level)
	if provided < funneled {
		return fmt.Errorf("the library was built without threads: it provides the level %d, less than MPI_THREAD_FUNNELED (%d)", *level, l.threads[funneled])
	}
	e.thread.shared = provided >= serialized
	if err := l.call(commDup, l.world, uintptr(unsafe.Pointer(&e.communicator))); err != nil {
		return err
	}
	rank, size := new(int32), new(int32)
	for _, err := range []error{
		l.call(commSetErrhandler, e.communicator, l.errorsReturn),
		l.call(commRank, e.communicator, uintptr(unsafe.Pointer(rank))),
		l.call(commSize, e.communicator, uintptr(unsafe.Pointer(size))),
	} {
		if err != nil {
			return err
		}
	}
	e.rank, e.size = int(*rank), int(*size)
	for r := range e.size {
		e.worldRank = append(e.worldRank, r)
	}
	return nil
}

// introduction is what a rank tells the others: texts of fixed length.
const (
	textBytes = 256
	hostText  = iota - 1
	buildText
	libraryText
	processText
	texts
)

// introduce tells every rank the host, the executable and the library of the others, and refuses ranks that differ.
func (e *engine) introduce(ctx context.Context) error {
	host, _ := os.Hostname()
	all := e.New(dtype.Uint8, e.size*texts*textBytes)
	defer e.Free(all)
	bytes := nd.Data[uint8](all)
	own := bytes[e.rank*texts*textBytes:][:texts*textBytes]
	clear(own)
	for i, text := range []string{hostText: host, buildText: build(), libraryText: e.thread.library.version,
		processText: fmt.Sprint(os.Getpid(), " ", processSpace())} {
		copy(own[i*textBytes:(i+1)*textBytes-1], text)
	}
	counts := make([]int, e.size)
	for i := range counts {
		counts[i] = texts * textBytes
	}
	piece := all.Index(nd.Span(e.rank*counts[0], (e.rank+1)*counts[0]))
	defer piece.Release()
	if err := e.AllGather(ctx, piece, all, counts); err != nil {
		return err
	}
	text := func(rank, i int) string {
		t := bytes[(rank*texts+i)*textBytes:][:textBytes]
		return strings.TrimRight(string(t), "\x00")
	}
	for r := range e.size {
		e.hosts = append(e.hosts, text(r, hostText))
		for i, what := range []string{hostText: "", buildText: "another build of the program", libraryText: "another library"} {
			if what != "" && text(r, i) != text(0, i) {
				return fmt.Errorf("rank %d on %s has %s than rank 0 on %s: %s and %s; install the same on all machines",
					r, text(r, hostText), what, text(0, hostText), text(r, i), text(0, i))
			}
		}
	}
	e.localRank, e.near = count(e.hosts[:e.rank], host), count(e.hosts, host) == e.size
	e.watch(func(rank int) string { return text(rank, processText) })
	if count(e.hosts, host) <= runtime.NumCPU() {
		e.thread.idle.Store(int64(100 * time.Microsecond))
	}
	if err := e.Barrier(ctx); err != nil { // so that every rank watches the others before one of them goes on
		return err
	}
	return e.share(ctx)
}

// grace is the time that a program has to end by itself after another rank has ended.
const grace = 2 * time.Second

// watch waits for the end of the other processes of this machine: not every launcher says which rank has ended, nor ends the
// others. Calls then return an error that names the rank.
func (e *engine) watch(process func(rank int) string) {
	_, space, _ := strings.Cut(process(e.rank), " ")
	var ranks, processes []int
	for r, host := range e.hosts {
		number, other, _ := strings.Cut(process(r), " ")
		if n, err := strconv.Atoi(number); err == nil && r != e.rank && host == e.hosts[e.rank] && space != "" && other == space {
			ranks, processes = append(ranks, r), append(processes, n)
		}
	}
	t := e.thread
	t.unwatch = watch(processes, func(i int) {
		t.death = &comm.RankError{Rank: ranks[i], Err: fmt.Errorf("process %d on %s ended before it closed its communicator", processes[i], e.hosts[e.rank])}
		fmt.Fprintln(os.Stderr, "mpi:", t.death)
		close(t.died)
		time.AfterFunc(grace, e.end)
	})
}

// build returns a checksum of the program, or "unknown".
func build() string {
	const unknown = "unknown"
	path, err := os.Executable()
	if err != nil {
		return unknown
	}
	file, err := os.Open(path)
	if err != nil {
		return unknown
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return unknown
	}
	return fmt.Sprintf("%s/%s %x", runtime.GOOS, runtime.GOARCH, sum.Sum(nil))
}
