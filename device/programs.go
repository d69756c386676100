package device

import (
	"sync"
	"sync/atomic"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Programs holds the programs of one source, by dtype. Each program is compiled at the first request, and cached.
// Several goroutines may request a program at once, and all get the same one. The zero Programs, which has no source,
// is ready for [Programs.OfSource].
type Programs struct {
	Source Source

	cache atomic.Pointer[programCache] // set by the first call: most functions are never called
}

// Identities are the programs that return their only input unchanged.
var Identities = Programs{Source: Source{Name: "identity", Inputs: "T x", Outputs: "T y", Body: "y = x"}}

type programCache struct {
	uniform [dtype.Count]atomic.Pointer[Program] // the programs in which one type decides all letters
	mixed   sync.Map                             // Letters → *Program
}

func (ps *Programs) all() *programCache {
	if all := ps.cache.Load(); all != nil {
		return all
	}
	ps.cache.CompareAndSwap(nil, new(programCache))
	return ps.cache.Load()
}

// Letters are the dtypes that the type letters of a source stand for; Letters[0] is the dtype of A.
type Letters [26]dtype.DType

// Of returns the dtype of a letter.
func (l Letters) Of(letter byte) dtype.DType { return l[letter-'A'] }

// Of returns the program in which every type letter is t, except R, which is t's real type. It panics if the source
// does not compile: it is meant for sources that are known to be valid for t.
func (ps *Programs) Of(t dtype.DType) *Program {
	if p := ps.all().uniform[t].Load(); p != nil {
		return p
	}
	return ps.add(t, ps.Source)
}

// OfSource is like Of, for sources that are built when they are first needed: source returns the source for t.
func (ps *Programs) OfSource(t dtype.DType, source func(t dtype.DType) Source) *Program {
	if p := ps.all().uniform[t].Load(); p != nil {
		return p
	}
	return ps.add(t, source(t))
}

func (ps *Programs) add(t dtype.DType, source Source) *Program {
	p, err := source.Compile(func(letter byte) dtype.DType {
		if letter == 'R' {
			return t.Real()
		}
		return t
	})
	if err != nil {
		panic(err)
	}
	ps.all().uniform[t].CompareAndSwap(nil, p)
	return ps.all().uniform[t].Load()
}

// For returns the program in which each letter has the type that types gives it.
func (ps *Programs) For(types Letters) (*Program, error) {
	if p, ok := ps.all().mixed.Load(types); ok {
		return p.(*Program), nil
	}
	p, err := ps.Source.Compile(types.Of)
	if err != nil {
		return nil, err
	}
	first, _ := ps.all().mixed.LoadOrStore(types, p)
	return first.(*Program), nil
}
