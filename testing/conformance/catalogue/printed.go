package catalogue

import "strings"

// PrintedParams parses a signature as a document prints it. ok is false if the document prints none that can be parsed.
func PrintedParams(name, text string) (params []Param, ok bool) {
	if strings.HasPrefix(name, "mxnet.npx.") {
		return mxnetParams(text)
	}
	open := strings.IndexByte(text, '(')
	closed := strings.LastIndexByte(text, ')')
	if open < 0 || closed < open+2 || strings.Contains(text, "**") || strings.Contains(text, "*args") {
		return nil, false
	}
	body := strings.ReplaceAll(text[open:closed+1], "<type 'float'>", "float")
	s, err := parseSignature("f" + body)
	return s.params, err == nil
}

// mxnetParams parses "data, axis int=-1, layout {None,NCHW}=None": names, types and defaults.
func mxnetParams(text string) (params []Param, ok bool) {
	for _, item := range splitTop(text) {
		declared, def, hasDefault := cutDefault(item)
		name, _, _ := strings.Cut(declared, " ")
		if !isName(name) {
			return nil, false
		}
		p := Param{Name: name, HasDefault: hasDefault}
		if hasDefault {
			def, _, _ = strings.Cut(def, " ") // a remark may follow
			v, err := parseLiteral(def)
			if err != nil {
				return nil, false
			}
			p.Default = v
		}
		if strings.Contains(item, "optional") && !hasDefault {
			continue // "name (string, optional)"
		}
		params = append(params, p)
	}
	return params, len(params) > 0
}

// cutDefault splits at the last equals sign outside braces.
func cutDefault(item string) (declared, def string, ok bool) {
	depth := 0
	for i := len(item) - 1; i >= 0; i-- {
		switch item[i] {
		case '}', ')':
			depth++
		case '{', '(':
			depth--
		case '=':
			if depth == 0 {
				return strings.TrimSpace(item[:i]), strings.TrimSpace(item[i+1:]), true
			}
		}
	}
	return item, "", false
}
