package table

import (
	"strings"
	"unicode"
)

// quotedFields splits a line that has double quotes, and reports whether a field is quoted as a whole. Such a field is
// what is between its quotes: delimiters and comments there are text, and two quotes are one. Other quotes are text.
func (t *reader) quotedFields(line string) (all []string, quoted bool) {
	for {
		if t.Delimiter == "" {
			if line = strings.TrimLeftFunc(line, unicode.IsSpace); t.endOfField(line) == 0 {
				return all, quoted
			}
		}
		field, rest, whole := t.unquoted(line)
		if !whole {
			end := t.endOfField(line)
			field, rest = line[:end], line[end:]
		}
		all, quoted = append(all, field), quoted || whole
		if line = rest; t.Delimiter == "" {
			continue
		}
		var more bool
		if line, more = strings.CutPrefix(rest, t.Delimiter); !more {
			return all, quoted
		}
	}
}

// unquoted returns the text of the quoted field at the beginning of a line, and what follows. ok is false for a field
// that is not quoted as a whole.
func (t *reader) unquoted(line string) (field, rest string, ok bool) {
	if t.Delimiter != "" && strings.HasPrefix(line, t.Delimiter) {
		return "", line, false
	}
	rest, ok = strings.CutPrefix(strings.TrimLeft(line, " "), `"`)
	for again := ok; again; {
		var part string
		part, rest, ok = strings.Cut(rest, `"`)
		field += part
		if rest, again = strings.CutPrefix(rest, `"`); again {
			field += `"`
		}
	}
	if t.Delimiter != "" && !strings.HasPrefix(rest, t.Delimiter) {
		rest = strings.TrimLeft(rest, " ")
	}
	return field, rest, ok && t.endOfField(rest) == 0
}

// endOfField returns the index of the first delimiter or comment in a text, or the text's length.
func (t *reader) endOfField(text string) int {
	end := len(text)
	nearer := func(at int) {
		if at >= 0 {
			end = min(end, at)
		}
	}
	if t.Delimiter == "" {
		nearer(strings.IndexFunc(text, unicode.IsSpace))
	} else {
		nearer(strings.Index(text, t.Delimiter))
	}
	for _, c := range t.Comments {
		nearer(strings.Index(text, c))
	}
	return end
}
