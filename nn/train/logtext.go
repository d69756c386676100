package train

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/ndgrad/ndgrad/nn/report"
)

// encodeLog formats a log like Python's json: in lines that are indented by four spaces, or in one line.
func encodeLog(log []*report.Values, lines bool) string {
	var b strings.Builder
	item := func(first bool, depth int) {
		switch {
		case lines && first:
			b.WriteString("\n" + strings.Repeat(" ", 4*depth))
		case lines:
			b.WriteString(",\n" + strings.Repeat(" ", 4*depth))
		case !first:
			b.WriteString(", ")
		}
	}
	end := func(depth int) {
		if lines {
			b.WriteString("\n" + strings.Repeat(" ", 4*depth))
		}
	}
	b.WriteByte('[')
	for i, v := range log {
		item(i == 0, 1)
		b.WriteByte('{')
		first := true
		for name, x := range v.All() {
			item(first, 2)
			first = false
			b.WriteString(quoted(name) + ": " + number(name, x))
		}
		end(1)
		b.WriteByte('}')
	}
	if len(log) > 0 {
		end(0)
	}
	b.WriteByte(']')
	return b.String()
}

// quoted quotes a text like Python's json, which leaves printable ASCII as it is.
func quoted(text string) string {
	const short, letters = "\b\f\n\r\t\"\\", `bfnrt"\`
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range utf16.Encode([]rune(text)) {
		if i := strings.IndexRune(short, rune(c)); i >= 0 {
			b.WriteString(`\` + letters[i:i+1])
		} else if ' ' <= c && c <= '~' {
			b.WriteByte(byte(c))
		} else {
			fmt.Fprintf(&b, `\u%04x`, c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// number formats a number like Python: counts as integers, others with a fraction or an exponent.
func number(name string, x float64) string {
	switch {
	case (name == "epoch" || name == "iteration") && x == math.Trunc(x) && math.Abs(x) < 1<<53:
		return strconv.FormatInt(int64(x), 10)
	case math.IsNaN(x):
		return "NaN"
	case math.IsInf(x, 1):
		return "Infinity"
	case math.IsInf(x, -1):
		return "-Infinity"
	}
	if size := math.Abs(x); x != 0 && (size < 1e-4 || size >= 1e16) {
		return strconv.FormatFloat(x, 'e', -1, 64)
	}
	s := strconv.FormatFloat(x, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// decodeLog parses the output of encodeLog, in its order.
func decodeLog(text string) ([]*report.Values, error) {
	bad := func(err error) error { return fmt.Errorf("the log is not a list of objects with numbers: %w", err) }
	var entries []json.RawMessage
	// Python writes NaN and infinities, which JSON does not have.
	if err := json.Unmarshal([]byte(bareNumbers(text)), &entries); err != nil {
		return nil, bad(err)
	}
	var log []*report.Values
	for _, raw := range entries {
		v := &report.Values{}
		d := json.NewDecoder(strings.NewReader(string(raw)))
		if t, err := d.Token(); err != nil || t != json.Delim('{') {
			return nil, bad(fmt.Errorf("%s", raw))
		}
		for d.More() {
			name, err := d.Token()
			if err != nil {
				return nil, bad(err)
			}
			var x any
			if err := d.Decode(&x); err != nil {
				return nil, bad(err)
			}
			if x, ok := valueOf(x); ok {
				v.Set(name.(string), x)
			}
		}
		log = append(log, v)
	}
	return log, nil
}

// valueOf returns the number of a log entry. Other values, which a user of Chainer may have added, are ignored.
func valueOf(x any) (float64, bool) {
	switch x := x.(type) {
	case float64:
		return x, true
	case string:
		v, ok := nonFiniteNames[x]
		return v, ok
	}
	return 0, false
}

// nonFiniteNames are the values that JSON lacks, by Python's names.
var nonFiniteNames = map[string]float64{"NaN": math.NaN(), "Infinity": math.Inf(1), "-Infinity": math.Inf(-1)}

// bareNumbers puts quotes around the values that JSON lacks, if they are outside quotes.
func bareNumbers(text string) string {
	var b strings.Builder
	for quoted := false; text != ""; {
		name := ""
		if !quoted {
			for _, n := range []string{"NaN", "-Infinity", "Infinity"} {
				if strings.HasPrefix(text, n) {
					name = n
					break
				}
			}
		}
		if name != "" {
			b.WriteString(`"` + name + `"`)
			text = text[len(name):]
			continue
		}
		n := 1
		switch {
		case text[0] == '"':
			quoted = !quoted
		case text[0] == '\\' && quoted && len(text) > 1:
			n = 2
		}
		b.WriteString(text[:n])
		text = text[n:]
	}
	return b.String()
}
