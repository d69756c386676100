package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// machine describes the processor and the pages of memory, on which the ratios depend; it returns "" if the system does
// not tell (only Linux does).
func machine() string {
	var parts []string
	processor := firstOf(read("/proc/cpuinfo"))
	if name := processor["model name"]; name != "" {
		parts = append(parts, fmt.Sprintf("%s, family %s, model %s", name, processor["cpu family"], processor["model"]))
	}
	caches, _ := filepath.Glob("/sys/devices/system/cpu/cpu0/cache/index*")
	for _, cache := range caches {
		if kind := read(cache + "/type"); kind == "Data" || kind == "Unified" {
			parts = append(parts, "L"+read(cache+"/level")+" "+read(cache+"/size"))
		}
	}
	if pages := read("/sys/kernel/mm/transparent_hugepage/enabled"); pages != "" {
		parts = append(parts, "huge pages "+pages)
	}
	return strings.Join(parts, ", ")
}

// read returns a file's text without space around it; "" if there is no such file.
func read(path string) string {
	text, _ := os.ReadFile(path)
	return strings.TrimSpace(string(text))
}

// firstOf returns the names and values of the first paragraph of /proc/cpuinfo.
func firstOf(text string) map[string]string {
	values := map[string]string{}
	first, _, _ := strings.Cut(text, "\n\n")
	for line := range strings.Lines(first) {
		if name, value, ok := strings.Cut(line, ":"); ok {
			values[strings.TrimSpace(name)] = strings.TrimSpace(value)
		}
	}
	return values
}
