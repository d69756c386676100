package nn

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// String returns a table of the parameters below s: name, shape, dtype, number of elements and whether they are
// trained. The totals follow the table.
func (s *Scope) String() string {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "parameter\tshape\tdtype\tcount\ttrained")
	parameters, elements, trained, bytes := 0, 0, 0, 0
	for name, p := range s.All() {
		v := p.value
		need := "no"
		if p.NeedGrad() {
			need = "yes"
			trained += v.Size()
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", name, broadcast.FormatShape(v.Shape()), v.DType(), grouped(v.Size()), need)
		parameters++
		elements += v.Size()
		bytes += v.Size() * v.DType().Size()
	}
	w.Flush()
	fmt.Fprintf(&text, "%d parameters, %s elements, %s of them trained, %s\n", parameters, grouped(elements), grouped(trained), inUnits(bytes))
	return text.String()
}

// grouped formats a number with its digits in groups of three.
func grouped(n int) string {
	text := fmt.Sprint(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// inUnits formats a number of bytes in the largest unit that it reaches.
func inUnits(bytes int) string {
	amount, unit := float64(bytes), 0
	units := [...]string{"bytes", "KiB", "MiB", "GiB", "TiB"}
	for amount >= 1024 && unit < len(units)-1 {
		amount /= 1024
		unit++
	}
	return fmt.Sprintf("%.4g %s", amount, units[unit])
}
