// Command sum records which generator made a family's assembly. It is the last step of a family's go generate. In the
// output folder it writes generated.sum: checksums of the generator's files and of the assembly.
//
//	go run ../sum FAMILY
package main

import (
	"cmp"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	gen := flag.String("gen", "../gen", "folder of the generators")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	sums, err := sumsOf(*gen, flag.Arg(0), ".")
	if err == nil {
		err = os.WriteFile("generated.sum", []byte(sums), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "sum:", err)
		os.Exit(1)
	}
}

// sumsOf returns the content of generated.sum for a family whose assembly, or CUDA C++, lies in the folder output.
func sumsOf(gen, family, output string) (string, error) {
	sources, err := sourcesOf(gen, family)
	if err != nil {
		return "", err
	}
	generator, err := sumOf(append(sources, gen+"/go.mod", gen+"/vec/*.go")...)
	if err != nil {
		return "", err
	}
	made := output + "/*_amd64.s"
	if family == "texts" {
		made = output + "/texts.cuh"
	}
	assembly, err := sumOf(made)
	sums := fmt.Sprintf("generator %s\nassembly %s\n", generator, assembly)
	translated, globErr := filepath.Glob(output + "/*_arm64.s")
	if err = cmp.Or(err, globErr); err != nil || len(translated) == 0 {
		return sums, err
	}
	translator, err := sumOf(gen + "/neon/*.go")
	if err != nil {
		return "", err
	}
	assembly, err = sumOf(translated...)
	return fmt.Sprintf("%sneon %s\narm64 %s\n", sums, translator, assembly), err
}

// shared are the packages that generators use, each with the packages that it needs.
var shared = []struct {
	name  string
	needs []string
}{{"functions", []string{"functions", "trace"}}, {"clamp", []string{"clamp"}}}

// sourcesOf returns the patterns of a generator's own files, plus those of the shared packages that it uses.
func sourcesOf(gen, family string) ([]string, error) {
	patterns := []string{gen + "/" + family + "/*.go"}
	files, err := filepath.Glob(patterns[0])
	if err != nil {
		return nil, err
	}
	var sources strings.Builder
	for _, name := range files {
		content, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		sources.Write(content)
	}
	for _, p := range shared {
		if strings.Contains(sources.String(), "simd/gen/"+p.name+"\"") {
			for _, name := range p.needs {
				patterns = append(patterns, gen+"/"+name+"/*.go")
			}
		}
	}
	return patterns, nil
}

// sumOf returns a checksum of the names and the content of files. Line endings do not count.
func sumOf(patterns ...string) (string, error) {
	h := sha256.New()
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			return "", fmt.Errorf("no files %s: %v", pattern, err)
		}
		slices.Sort(files)
		for _, name := range files {
			content, err := os.ReadFile(name)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(h, "%s\n%s\n", filepath.Base(name), strings.ReplaceAll(string(content), "\r\n", "\n"))
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}
