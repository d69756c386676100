package device

import (
	"strings"
	"testing"
	"testing/fstest"
)

// tree returns a file tree from lines "name: content".
func tree(text string) fstest.MapFS {
	files := fstest.MapFS{}
	for line := range strings.Lines(text) {
		if name, content, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
			content = strings.ReplaceAll(content, "; ", "\n") + "\n"
			files[name] = &fstest.MapFile{Data: []byte(content)}
		}
	}
	return files
}

func TestCgroupMemory(t *testing.T) {
	const mib, swap = 1 << 20, 64 << 20
	for _, c := range []struct {
		name, files string
		want        uint64
	}{
		{"no control groups", "", unlimited},
		{"version 2 without limits", `
			proc/self/cgroup: 0::/user.slice/session
			proc/self/mountinfo: 30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate
			sys/fs/cgroup/user.slice/memory.max: max
			sys/fs/cgroup/user.slice/session/memory.max: max`, unlimited},
		{"version 2, of a service", `
			proc/self/cgroup: 0::/system.slice/a.service
			proc/self/mountinfo: 22 1 8:1 / / rw - ext4 /dev/sda1 rw; 30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw
			sys/fs/cgroup/system.slice/memory.max: max
			sys/fs/cgroup/system.slice/a.service/memory.max: 104857600`, 100*mib + swap},
		{"version 2, bounded by a group around it, without swap", `
			proc/self/cgroup: 0::/system.slice/a.service/part
			proc/self/mountinfo: 30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw
			sys/fs/cgroup/system.slice/memory.max: 104857600
			sys/fs/cgroup/system.slice/memory.swap.max: 0
			sys/fs/cgroup/system.slice/a.service/memory.max: 209715200
			sys/fs/cgroup/system.slice/a.service/part/memory.max: max`, 100 * mib},
		{"version 2, with some swap", `
			proc/self/cgroup: 0::/a
			proc/self/mountinfo: 30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw
			sys/fs/cgroup/a/memory.max: 104857600
			sys/fs/cgroup/a/memory.swap.max: 1048576`, 101 * mib},
		{"version 2, in a container with a namespace", `
			proc/self/cgroup: 0::/
			proc/self/mountinfo: 600 599 0:26 / /sys/fs/cgroup ro,nosuid - cgroup2 cgroup rw
			sys/fs/cgroup/memory.max: 104857600
			sys/fs/cgroup/memory.swap.max: 0`, 100 * mib},
		{"version 1, nested", `
			proc/self/cgroup: 11:cpu,cpuacct:/x; 4:memory:/jobs/one; 1:name=systemd:/init.scope
			proc/self/mountinfo: 35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory; 36 31 0:33 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct
			sys/fs/cgroup/memory/memory.limit_in_bytes: 9223372036854771712
			sys/fs/cgroup/memory/jobs/memory.limit_in_bytes: 104857600
			sys/fs/cgroup/memory/jobs/one/memory.limit_in_bytes: 9223372036854771712
			sys/fs/cgroup/cpu/x/memory.limit_in_bytes: 5`, 100*mib + swap},
		{"version 1, with swap counted", `
			proc/self/cgroup: 4:memory:/jobs
			proc/self/mountinfo: 35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
			sys/fs/cgroup/memory/jobs/memory.limit_in_bytes: 104857600
			sys/fs/cgroup/memory/jobs/memory.memsw.limit_in_bytes: 105906176`, 101 * mib},
		{"version 1, in a container that sees its own group at the top", `
			proc/self/cgroup: 4:memory:/docker/0123
			proc/self/mountinfo: 35 31 0:32 /docker/0123 /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory
			sys/fs/cgroup/memory/memory.limit_in_bytes: 104857600
			sys/fs/cgroup/memory/docker/0123/memory.limit_in_bytes: 5`, 100*mib + swap},
		{"version 1, in a container whose group is named from outside", `
			proc/self/cgroup: 4:memory:/docker/0123
			proc/self/mountinfo: 35 31 0:32 /docker/01 /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory
			sys/fs/cgroup/memory/memory.limit_in_bytes: 104857600`, 100*mib + swap},
		{"both versions, memory in the first", `
			proc/self/cgroup: 4:memory:/a; 0::/b
			proc/self/mountinfo: 35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory; 41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
			sys/fs/cgroup/memory/a/memory.limit_in_bytes: 104857600
			sys/fs/cgroup/unified/b/cgroup.procs: 1`, 100*mib + swap},
		{"what does not parse", `
			proc/self/cgroup: memory; 4:memory:/a
			proc/self/mountinfo: 35 31; 36 31 0:32 / /sys/fs/cgroup/memory rw - cgroup; 37 - -
			sys/fs/cgroup/memory/a/memory.limit_in_bytes: much`, unlimited},
	} {
		if got := cgroupMemory(tree(c.files), swap); got != c.want {
			t.Errorf("%s: %d bytes, want %d", c.name, got, c.want)
		}
	}
}
