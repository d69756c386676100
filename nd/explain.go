package nd

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Explanation lists the kernels that ran, in their order. It prints as a table whose last line is the total.
type Explanation []ExplainedLaunch

// ExplainedLaunch is a kernel that ran.
type ExplainedLaunch struct {
	Funcs         []Func // the functions that it computed: several if a scope has joined them
	Read, Written int    // the sizes of its operands, in bytes
	// Why says what ended the chain of joined functions, or why an elementwise function was not deferred.
	Why string
}

// Explain calls f and returns which kernels ran meanwhile, which functions scopes have joined, and what prevented more. It is
// for finding out why a scope does not make a program faster:
//
//	fmt.Print(nd.Explain(step))
//
// Functions of few elements need no launch, and are not listed. One Explain runs at a time: it panics if another one has not ended.
// It lists what all goroutines do.
func Explain(f func()) Explanation {
	const fn Func = "nd.Explain"
	if f == nil {
		panic(fn.Errorf(nil, "no function"))
	}
	e := new(explainer)
	if !explaining.CompareAndSwap(nil, e) {
		panic(fn.Errorf(nil, "another Explain runs"))
	}
	observed.Add(1)
	defer func() {
		explaining.Store(nil)
		observed.Add(-1)
	}()
	f()
	e.Lock()
	defer e.Unlock()
	return e.launches
}

// explaining is the Explain that runs; nil if none.
var explaining atomic.Pointer[explainer]

type explainer struct {
	sync.Mutex
	launches Explanation
	open     []int  // the launches that computed pending results for a function that has not run yet
	refusal  string // why the last elementwise function was not deferred
}

// The reasons that end a chain. needed becomes the name of the function that needs the results.
const (
	needed     = "needed by "
	endOfScope = "end of the scope"
	tooLong    = "more than 12 operands, 12 scalars or 64 functions in one program"
)

// launched notes a launch: of the functions of a group, which ended for a reason, or of a function that ran at once, maybe with the functions
// that it joined.
func (e *explainer) launched(l *Launch, funcs []Func, why string) {
	e.Lock()
	defer e.Unlock()
	x := ExplainedLaunch{Funcs: funcs, Why: why}
	for i := range l.N {
		if l.arrays[i] == nil {
			continue
		}
		bytes := l.arrays[i].Bytes()
		if i < l.Outputs {
			x.Written += bytes
		} else {
			x.Read += bytes
		}
	}
	if why == "" { // a function that ran at once
		x.Funcs, x.Why, e.refusal = append(funcs, l.fn), e.refusal, ""
		e.close(l.fn)
	}
	if why == needed {
		e.open = append(e.open, len(e.launches))
	}
	e.launches = append(e.launches, x)
}

// close notes for which function pending results were computed.
func (e *explainer) close(fn Func) {
	for _, k := range e.open {
		e.launches[k].Why = needed + string(fn)
	}
	e.open = e.open[:0]
}

// explainRefusal notes why the next launch was not deferred.
func explainRefusal(why string) {
	if e := explaining.Load(); e != nil {
		e.Lock()
		e.refusal = why
		e.Unlock()
	}
}

// explain notes the launch of a group.
func (g *group) explain(l *Launch, why string) {
	e := explaining.Load()
	if e == nil {
		return
	}
	e.launched(l, g.funcs(), why)
}

// Total returns the sums of all launches.
func (x Explanation) Total() ExplainedLaunch {
	var all ExplainedLaunch
	for _, l := range x {
		all.Funcs = append(all.Funcs, l.Funcs...)
		all.Read += l.Read
		all.Written += l.Written
	}
	return all
}

// String prints the table.
func (x Explanation) String() string {
	total := x.Total()
	names := []string{"launch"}
	for _, l := range x {
		var short []string
		for _, fn := range l.Funcs {
			short = append(short, string(fn))
		}
		names = append(names, strings.Join(short, " "))
	}
	names = append(names, fmt.Sprintf("%d launches of %d functions", len(x), len(total.Funcs)))
	width := len(slices.MaxFunc(names, func(a, b string) int { return len(a) - len(b) }))
	var b strings.Builder
	fmt.Fprintf(&b, "%-*s %12s %12s  %s\n", width, names[0], "bytes read", "written", "why no longer")
	for k, l := range append(slices.Clone(x), total) {
		line := fmt.Sprintf("%-*s %12d %12d  %s", width, names[1+k], l.Read, l.Written, l.Why)
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}
