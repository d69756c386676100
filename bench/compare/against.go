package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/ndgrad/ndgrad/bench"
	"github.com/ndgrad/ndgrad/nd"
)

// compareAgainst times the cases beside another build of this command, for example of an earlier commit. It prints the
// ratios for released results and for results that are never released.
func compareAgainst(o options, out, progress io.Writer) error {
	other := &peer{name: "against", library: "against"}
	if err := other.start(o.against, []string{"-serve", "-threads", o.threadsFlag(), "-device", o.device}, nil); err != nil {
		return err
	}
	defer stopAll([]*peer{other})
	facts, err := other.about()
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s against %s: %s\n\n", runtime.Version(), o.against, facts)
	t := newTable(out, o.threads, "case", "ours", "against", "ratio", "from–to", "unreleased", "against", "ratio")
	var released, unreleased sums
	cases := o.selected()
	for i, c := range cases {
		fmt.Fprintf(progress, "%d/%d %-60s\r", i+1, len(cases), c.Name)
		m, err := measure(o, c, []*peer{other})
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		row := []string{c.Name, duration(median(m.ours)), "", "", "", "", "", ""}
		if theirs := m.peers[other.library]; theirs != nil {
			r := ratiosOf(theirs, m.ours)
			released.add(c.Name, r)
			row[2], row[3], row[4] = duration(median(theirs)), fmt.Sprintf("%.2f", r.middle), r.span()
		}
		if theirs := m.peersUnreleased[other.library]; theirs != nil {
			r := ratiosOf(theirs, m.unreleased)
			unreleased.add(c.Name, r)
			row[5], row[6], row[7] = duration(median(m.unreleased)), duration(median(theirs)), fmt.Sprintf("%.2f", r.middle)
		}
		t.row(row)
	}
	fmt.Fprintf(progress, "%80s\r", "")
	_, err = fmt.Fprintf(out, "\nreleased: %s\nnever released: %s\n", &released, &unreleased)
	return err
}

// serve runs this build as the other build: it answers the commands that the peers answer.
func serve(o options, in io.Reader, out io.Writer) error {
	o.setThreads()
	if err := o.setDevice(); err != nil {
		return err
	}
	answers := json.NewEncoder(out)
	var call func() *nd.Array
	per := 1
	for lines := bufio.NewScanner(in); lines.Scan(); {
		words := strings.Fields(lines.Text())
		answer, err := map[string]any{}, error(nil)
		switch words[0] {
		case "about":
			answer["go"] = runtime.Version()
		case "setup":
			call = nil
			for _, c := range bench.Cases() {
				if c.Name == words[1] {
					call, per = c.Setup(), c.Per
				}
			}
			runtime.GC()
			answer["known"] = call != nil
		case "time":
			seconds, e := strconv.ParseFloat(words[1], 64)
			length := time.Duration(seconds * float64(time.Second))
			ns, results, fault := turn(call, per, length, (*nd.Array).Release)
			answer["ns"], err = ns, cmp.Or(e, fault)
			if results && err == nil {
				answer["unreleased"], _, err = turn(call, per, length, func(*nd.Array) {})
				runtime.GC()
			}
		default:
			err = fmt.Errorf("%q is not a command", words[0])
		}
		if err != nil {
			answer["error"] = err.Error()
		}
		if err := answers.Encode(answer); err != nil {
			return err
		}
	}
	return nil
}
