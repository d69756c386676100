package device

import (
	"bufio"
	"io/fs"
	"math"
	"path"
	"strconv"
	"strings"
)

// unlimited stands for no limit.
const unlimited = math.MaxUint64

// cgroupMemory returns how many bytes of memory and swap the control groups allow this process, or unlimited if they
// set no limit. files is the root directory, swap is the machine's amount of swap. Groups of version 1 and 2 count,
// together with all groups that contain them, up to where the hierarchy is mounted.
func cgroupMemory(files fs.FS, swap uint64) uint64 {
	groups := memoryGroups(files)
	limit := uint64(unlimited)
	for _, m := range cgroupMounts(files) {
		group, ok := groups[m.version]
		if !ok {
			continue
		}
		for dir := m.within(group); ; dir = path.Dir(dir) {
			limit = min(limit, m.limit(files, path.Join(m.point, dir), swap))
			if dir == "/" {
				break
			}
		}
	}
	return limit
}

// memoryGroups returns the process's groups that limit memory, by the version of control groups.
func memoryGroups(files fs.FS) map[int]string {
	groups := map[int]string{}
	for _, line := range readLines(files, "proc/self/cgroup") {
		parts := strings.SplitN(line, ":", 3) // number, controllers, group
		switch {
		case len(parts) < 3:
		case parts[0] == "0" && parts[1] == "":
			groups[2] = parts[2]
		case has(parts[1], "memory"):
			groups[1] = parts[2]
		}
	}
	return groups
}

// cgroupMount is a hierarchy of control groups mounted in the file tree.
type cgroupMount struct {
	version int
	root    string // the group that is seen at the mount point
	point   string // without the leading slash
}

// cgroupMounts finds the hierarchies that limit memory.
func cgroupMounts(files fs.FS) []cgroupMount {
	var mounts []cgroupMount
	for _, line := range readLines(files, "proc/self/mountinfo") {
		mount, system, ok := strings.Cut(line, " - ")
		fields, of := strings.Fields(mount), strings.Fields(system) // the elements of "of" are type, source, options
		if !ok || len(fields) < 5 || len(of) < 3 {
			continue
		}
		m := cgroupMount{root: fields[3], point: strings.TrimPrefix(fields[4], "/")}
		switch {
		case of[0] == "cgroup2":
			m.version = 2
		case of[0] == "cgroup" && has(of[2], "memory"):
			m.version = 1
		default:
			continue
		}
		mounts = append(mounts, m)
	}
	return mounts
}

// within returns the path of a group in the mounted hierarchy. For a group outside the mounted hierarchy it returns the
// top of the hierarchy: a container that does not see the groups around it has such group names.
func (m *cgroupMount) within(group string) string {
	if inside, ok := strings.CutPrefix(group, m.root); ok && (m.root == "/" || inside == "" || inside[0] == '/') {
		return path.Join("/", inside)
	}
	return "/"
}

// limit returns how much memory and swap the group in a directory may use, given the machine's amount of swap.
func (m *cgroupMount) limit(files fs.FS, dir string, swap uint64) uint64 {
	if m.version == 1 {
		memory := readNumber(files, path.Join(dir, "memory.limit_in_bytes"))
		return min(sum(memory, swap), readNumber(files, path.Join(dir, "memory.memsw.limit_in_bytes")))
	}
	memory := readNumber(files, path.Join(dir, "memory.max"))
	return sum(memory, min(swap, readNumber(files, path.Join(dir, "memory.swap.max"))))
}

// sum returns a+b, or unlimited.
func sum(a, b uint64) uint64 {
	if a > unlimited-b {
		return unlimited
	}
	return a + b
}

// readNumber returns the number in a file; for "max", or if the file does not exist, it returns unlimited.
func readNumber(files fs.FS, name string) uint64 {
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return unlimited
	}
	n, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
	if err != nil {
		return unlimited
	}
	return n
}

// readLines returns the lines of a file, or none if the file does not exist.
func readLines(files fs.FS, name string) []string {
	f, err := files.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	var lines []string
	for s := bufio.NewScanner(f); s.Scan(); {
		lines = append(lines, s.Text())
	}
	return lines
}

// has reports whether a comma-separated list contains a word.
func has(list, word string) bool { return strings.Contains(","+list+",", ","+word+",") }
