//go:build !android && (amd64 || arm64)

package nccl

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ebitengine/purego"
)

// oldest is the first version that has all functions.
const oldest = 21800

// loadLibrary loads the given library, or finds one.
func loadLibrary(path string) (*library, error) {
	candidates := []string{path}
	if path == "" {
		const name = "libnccl.so.2"
		candidates = []string{name}
		folders := filepath.SplitList(os.Getenv("NDGRAD_CUDA_LIBS"))
		if toolkit := os.Getenv("CUDA_PATH"); toolkit != "" {
			folders = append(folders, filepath.Join(toolkit, "lib64"))
		}
		for _, folder := range append(folders, "/usr/local/cuda/lib64") {
			if file := filepath.Join(folder, name); exists(file) {
				candidates = append(candidates, file)
			}
		}
	}
	var reasons []error
	for _, file := range candidates {
		at, err := purego.Dlopen(file, purego.RTLD_NOW|purego.RTLD_LOCAL)
		if err == nil {
			return bind(file, at)
		}
		reasons = append(reasons, err)
	}
	return nil, fmt.Errorf("%w; NCCL is needed: pip install nvidia-nccl-cu12, and name its libnccl.so.2 by Options.Library, or install NVIDIA's package libnccl2", errors.Join(reasons...))
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// bind looks the functions up.
func bind(file string, at uintptr) (*library, error) {
	l := new(library)
	var missing []string
	functions := map[string]any{
		"ncclGetVersion": &l.getVersion, "ncclGetErrorString": &l.errorString, "ncclGetLastError": &l.lastError,
		"ncclGetUniqueId": &l.getUniqueID, "ncclCommInitRank": &l.initRank, "ncclCommSplit": &l.split, "ncclCommDestroy": &l.destroy,
		"ncclCommAbort": &l.abort, "ncclCommGetAsyncError": &l.asyncError, "ncclGroupStart": &l.groupStart, "ncclGroupEnd": &l.groupEnd,
		"ncclSend": &l.send, "ncclRecv": &l.recv, "ncclBroadcast": &l.broadcast, "ncclAllGather": &l.allGather, "ncclAllReduce": &l.allReduce,
	}
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		if _, err := purego.Dlsym(at, name); err != nil {
			missing = append(missing, name)
			continue
		}
		purego.RegisterLibFunc(functions[name], at, name)
	}
	if missing != nil {
		return nil, fmt.Errorf("%s has no %s: want NCCL 2.18 or later", file, strings.Join(missing, ", "))
	}
	number := new(int32)
	if code := l.getVersion(number); code != 0 {
		return nil, fmt.Errorf("%s: ncclGetVersion: %s", file, l.errorString(code))
	}
	l.version = fmt.Sprintf("NCCL %d.%d.%d", *number/10000, *number/100%100, *number%100)
	if *number < oldest {
		return nil, fmt.Errorf("%s is %s: want 2.18 or later", file, l.version)
	}
	return l, nil
}
