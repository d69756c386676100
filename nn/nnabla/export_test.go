package nnabla

// Documented returns the type of each documented function, or an empty type and the reason why networks do not have it.
func Documented() map[string][2]string {
	all := map[string][2]string{}
	for _, e := range entries() {
		all[e.name] = [2]string{e.typ, e.why}
	}
	return all
}
