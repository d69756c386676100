package device

// Bind returns the program with some inputs replaced by scalars: input i if bit i of mask is 1. The new scalars follow
// the program's own scalars. Bind caches the programs.
func (p *Program) Bind(mask uint) *Program {
	if mask == 0 {
		return p
	}
	return p.Compiled(bound(mask), func() any { return p.bind(mask) }).(*Program)
}

// bound is the key, for Compiled, of the program that Bind returns for a mask.
type bound uint

func (p *Program) bind(mask uint) *Program {
	q := &Program{Name: p.Name, Outputs: p.Outputs, Results: p.Results, gradient: p.gradient}
	q.Scalars = append(q.Scalars, p.Scalars...)
	newIndex := make([]int, len(p.Inputs))
	for i, in := range p.Inputs {
		if mask>>i&1 != 0 {
			newIndex[i] = len(q.Scalars)
			q.Scalars = append(q.Scalars, in)
		} else {
			newIndex[i] = len(q.Inputs)
			q.Inputs = append(q.Inputs, in)
		}
	}
	for _, in := range p.Code {
		if in.Op == OpInput || in.Op == OpLoad {
			if mask>>in.Index&1 != 0 {
				in.Op = OpScalar
			}
			in.Index = newIndex[in.Index]
		}
		q.Code = append(q.Code, in)
	}
	return q
}
