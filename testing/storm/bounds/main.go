// Command bounds checks the memory use of programs that drop their arrays, each in a separate process: when one array
// in eight is kept, with a heap full of pointers, with GOMEMLIMIT, and after work. It prints a table and fails if a
// program exceeds its bound. It needs /proc.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// program is one measured program. plain, if not nil, does the same work with slices only; the bound is relative to it.
type program struct {
	name       string
	environ    []string
	run, plain func()
	most       func(plain int) int // upper bound of the result, in MiB
}

var programs = []program{
	keeping(10), keeping(1_000), keeping(10_000), keeping(1_000_000),
	{name: "512 MiB of pointers, add 1e5", run: func() { root = grow(24); adding(100_000, 5*time.Second) },
		plain: func() { root = grow(24); making(100_000, 5*time.Second) }, most: beside},
	{name: "GOMEMLIMIT 100 MiB, add 1e6", environ: []string{"GOMEMLIMIT=100MiB"}, run: func() { adding(1_000_000, time.Second) },
		most: func(int) int { return 110 }},
	{name: "GOMEMLIMIT 300 MiB, add 1.6e7", environ: []string{"GOMEMLIMIT=300MiB"}, run: func() { adding(16_000_000, time.Second) },
		most: func(int) int { return 330 }},
	{name: "add 1.6e7", run: func() { adding(16_000_000, time.Second) }, most: func(int) int { return 500 }},
	{name: "5 s after add 1.6e7 (now)", run: func() { adding(16_000_000, time.Second); time.Sleep(5 * time.Second) },
		most: func(int) int { return 60 }},
	{name: "small steps after 1 GiB (now)", run: func() { largeCall(); stepping(20_000, 20*time.Second) }, most: func(int) int { return 150 }},
}

// beside returns the bound for a program whose version with slices takes plain MiB.
func beside(plain int) int { return plain*5/4 + 48 }

var (
	kept   []*nd.Array
	slices [][]float32
	root   *node
)

type node struct {
	left, right *node
	_           [2]int
}

// grow makes a tree of 2^depth nodes.
func grow(depth int) *node {
	if depth == 0 {
		return nil
	}
	return &node{left: grow(depth - 1), right: grow(depth - 1)}
}

// keeping keeps one result in eight, up to 200 MB of them.
func keeping(n int) program {
	const most = 200 << 20
	return program{name: fmt.Sprintf("one of eight kept, %d", n), most: beside,
		run: func() {
			x := nd.Zeros([]int{n})
			for i := 0; len(kept)*n*8 < most && len(kept) < 400_000; i++ {
				if y := ops.Negative(x); i%8 == 0 {
					kept = append(kept, y)
				}
			}
		},
		plain: func() {
			header := 64
			for i := 0; len(slices)*n*8 < most && len(slices) < 400_000; i++ {
				if y := make([]float32, 2*n+header); i%8 == 0 {
					slices = append(slices, y)
				}
			}
		},
	}
}

func adding(n int, length time.Duration) {
	x := nd.FromSlice(make([]float32, n))
	for began := time.Now(); time.Since(began) < length; {
		ops.Add(x, x)
	}
}

// largeCall makes a result of 512 MiB, and an intermediate one.
func largeCall() {
	x := nd.Zeros([]int{1 << 26})
	x.Release()
	ops.Negative(nd.Zeros([]int{1 << 26}))
}

// stepping runs steps that reuse their memory, so that no new blocks are made.
func stepping(n int, length time.Duration) {
	x := nd.Ones([]int{n})
	for began := time.Now(); time.Since(began) < length; time.Sleep(time.Millisecond) {
		nd.TidyAll(func() { ops.Sum(ops.Sin(ops.Add(x, 1))) }, &x)
	}
}

func making(n int, length time.Duration) {
	x := make([]float32, n)
	for began := time.Now(); time.Since(began) < length; {
		y := make([]float32, n)
		for i, v := range x {
			y[i] = v + v
		}
	}
}

// resident returns a line of /proc/self/status in MiB.
func resident(field string) int {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(status), field+":")
	kib, _ := strconv.Atoi(strings.Fields(after)[0])
	return kib / 1024
}

func main() {
	if len(os.Args) == 3 { // run one program, itself or its plain version
		i, _ := strconv.Atoi(os.Args[1])
		p := programs[i]
		began := time.Now()
		if os.Args[2] == "plain" {
			p.plain()
		} else {
			p.run()
		}
		field := "VmHWM"
		if strings.HasSuffix(p.name, "(now)") {
			field = "VmRSS"
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		fmt.Println(resident(field), float64(m.NumGC)/time.Since(began).Seconds())
		runtime.KeepAlive(kept)
		runtime.KeepAlive(root)
		return
	}
	failed := false
	fmt.Printf("%-34s %10s %10s %10s %14s\n", "program", "MiB", "plain", "at most", "collections/s")
	for i, p := range programs {
		mib, rate := measured(p, i, "run")
		plain := 0
		if p.plain != nil { // its peak depends on the time of the last GC cycle
			for range 3 {
				once, _ := measured(p, i, "plain")
				plain = max(plain, once)
			}
		}
		note := ""
		if mib > p.most(plain) {
			failed, note = true, "  FAILED"
		}
		fmt.Printf("%-34s %10d %10d %10d %14.1f%s\n", p.name, mib, plain, p.most(plain), rate, note)
	}
	if failed {
		os.Exit(1)
	}
}

// measured runs a program in a separate process.
func measured(p program, i int, how string) (mib int, rate float64) {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	c := exec.Command(self, strconv.Itoa(i), how)
	c.Env = append(os.Environ(), p.environ...)
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		panic(err)
	}
	fmt.Sscan(string(out), &mib, &rate)
	return mib, rate
}
