package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// repeat is the number of runs of a case before its memory is read: enough for the caches and the GC to settle.
const repeat = 30

// usage is the peak resident size of a process, and its size before the case, which for a peer is mostly its libraries.
type usage struct{ peak, before int64 }

func (u usage) rise() int64 { return max(u.peak-u.before, 1) }

func (u usage) String() string {
	return fmt.Sprintf("%.1f MB (+%.1f)", float64(u.peak)/1e6, float64(u.rise())/1e6)
}

// compareMemory runs every case in separate processes and prints their peak resident memory. The ratio compares what
// the case added.
func compareMemory(o options, out io.Writer) error {
	t := newTable(out, o.threads, "case", "ours", o.libraries()[0], o.libraries()[1], "ratio")
	t.device, t.libraries = o.device, o.libraries()
	for _, c := range o.selected() {
		ours, err := ownPeak(o, c.Name)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		row := []string{c.Name, ours.String(), "", "", "", ""}
		var least int64
		for k, library := range t.libraries {
			if library == "" {
				continue
			}
			u, known, err := peakOf(o, library, c.Name)
			if err != nil {
				return fmt.Errorf("%s: %w", c.Name, err)
			}
			if known {
				row[2+k] = u.String()
				if least == 0 || u.rise() < least {
					least = u.rise()
				}
			}
		}
		if least > 0 {
			ratio := float64(least) / float64(ours.rise())
			row[5] = fmt.Sprintf("%.2f", ratio)
			t.count(c, ratios{ratio, ratio, ratio}, row)
		}
		t.row(append(row[:4:4], row[5]))
	}
	return t.sums()
}

// peakOf runs a case in a new process of a library.
func peakOf(o options, library, name string) (u usage, known bool, err error) {
	p := &peer{name: library, library: library}
	if err := p.startScript(o, nil); err != nil {
		return u, false, err
	}
	defer stopAll([]*peer{p})
	if u.before, err = p.peak(); err != nil {
		return u, false, err
	}
	if err := p.setup(name); err != nil || !p.knows {
		return u, false, err
	}
	if err := p.repeat(repeat); err != nil {
		return u, false, err
	}
	u.peak, err = p.peak()
	return u, true, err
}

// ownPeak runs a case in a new process of this program.
func ownPeak(o options, name string) (u usage, err error) {
	self, err := os.Executable()
	if err != nil {
		return u, err
	}
	cmd := exec.Command(self, "-peak", name, "-models", o.models)
	cmd.Env = append(os.Environ(), "GOMAXPROCS="+strconv.Itoa(o.threads))
	cmd.Stderr = os.Stderr
	printed, err := cmd.Output()
	if err != nil {
		return u, err
	}
	_, err = fmt.Sscan(string(printed), &u.before, &u.peak)
	return u, err
}

// reportPeak runs in the new process: it runs the case and prints the peak resident memory before and after it, in
// bytes.
func reportPeak(o options, out io.Writer, name string) error {
	before, err := residentPeak()
	if err != nil {
		return err
	}
	for _, c := range o.selected() {
		if c.Name != name {
			continue
		}
		call := c.Setup()
		for range repeat {
			if y := call(); y != nil {
				y.Release()
			}
		}
		after, err := residentPeak()
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(out, before, after)
		return err
	}
	return fmt.Errorf("no case %s", name)
}

// residentPeak returns the largest resident size of this process so far, in bytes.
func residentPeak() (int64, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, fmt.Errorf("peak memory is read from /proc: %w", err)
	}
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	fields := strings.Fields(after)
	if len(fields) == 0 {
		return 0, fmt.Errorf("/proc/self/status has no VmHWM")
	}
	kilobytes, err := strconv.ParseInt(fields[0], 10, 64)
	return kilobytes * 1024, err
}
