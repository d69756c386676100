package device

import (
	"sync"
	"sync/atomic"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Programs are the programs of a source, by dtype: each is compiled when it is first asked for, and kept. Several goroutines may
// ask at once, and all get the same program. Without a source, the zero Programs are ready for [Programs.OfSource].
type Programs struct {
	Source Source

	made atomic.Pointer[madePrograms] // by the first call: most functions are never called
}

type madePrograms struct {
	uniform [dtype.Count]atomic.Pointer[Program] // where one type decides all letters
	mixed   sync.Map                             // Letters → *Program
}

func (ps *Programs) all() *madePrograms {
	if all := ps.made.Load(); all != nil {
		return all
	}
	ps.made.CompareAndSwap(nil, new(madePrograms))
	return ps.made.Load()
}

// Letters are the dtypes that the type letters of a source stand for, that of A first.
type Letters [26]dtype.DType

// Of returns the dtype of a letter.
func (l Letters) Of(letter byte) dtype.DType { return l[letter-'A'] }

// Of returns the program in which every type letter is t, but R, which is t's real type. It panics where the source does not
// compile: it is for sources that are known to be right for t.
func (ps *Programs) Of(t dtype.DType) *Program {
	if p := ps.all().uniform[t].Load(); p != nil {
		return p
	}
	return ps.add(t, ps.Source)
}

// OfSource is Of, for sources that are put together when they are first needed: source makes that for t.
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

// For returns the program for types that each letter has of its own.
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
