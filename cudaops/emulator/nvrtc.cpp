// CPU emulator of NVRTC: g++ compiles the source to a shared object. The image that represents the compiled code is the
// path of that object, which the emulated driver opens.
#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace {

struct Program {
	std::string source, name, log, image;
};

std::string read_file(const std::string &path) {
	std::ifstream f(path);
	std::stringstream s;
	s << f.rdbuf();
	return s.str();
}

// folder returns the folder of this library, which also has emulator.h.
std::string own_folder() {
	Dl_info info;
	dladdr((void *)own_folder, &info);
	std::string path = info.dli_fname;
	return path.substr(0, path.rfind('/'));
}

// scratch returns a folder for this process, which is removed at its end.
const std::string &scratch() {
	static const std::string *folder = [] {
		char name[] = "/tmp/ndgrad-nvrtc-XXXXXX";
		static std::string path = mkdtemp(name);
		atexit([] { (void)!system(("rm -rf '" + path + "'").c_str()); });
		return &path;
	}();
	return *folder;
}

// host_text replaces the parts of CUDA C++ that emulator.h cannot define: dynamic shared memory, and the list of
// kernels.
std::string host_text(std::string text) {
	text = std::regex_replace(text, std::regex(R"(extern\s+__shared__\s+([\w ]+?)\s+(\w+)\s*\[\s*\]\s*;)"), "DYNAMIC_SHARED($1, $2);");
	if (text.find("REGISTER(") != std::string::npos) return text;
	std::regex entry(R"(__global__\s+(?:__launch_bounds__\s*\([^)]*\)\s+)?void\s+(?:__launch_bounds__\s*\([^)]*\)\s+)?(\w+)\s*\()");
	std::string list;
	for (std::sregex_iterator i(text.begin(), text.end(), entry), end; i != end; ++i) list += "\nREGISTER(" + (*i)[1].str() + ")";
	return text + list + "\n";
}

} // namespace

extern "C" {

int nvrtcVersion(int *major, int *minor) { *major = 12; *minor = 4; return 0; }

const char *nvrtcGetErrorString(int code) { return code == 0 ? "NVRTC_SUCCESS" : code == 6 ? "NVRTC_ERROR_COMPILATION" : "NVRTC_ERROR_INVALID_INPUT"; }

int nvrtcCreateProgram(Program **p, const char *source, const char *name, int headers, const char *const *, const char *const *) {
	if (headers) return 3;
	*p = new Program{source, name ? name : "program.cu", "", ""};
	return 0;
}

int nvrtcDestroyProgram(Program **p) { delete *p; *p = nullptr; return 0; }

int nvrtcCompileProgram(Program *p, int n, const char *const *options) {
	static std::atomic<int> number{0};
	std::string base = scratch() + "/" + std::to_string(number++);
	std::ofstream(base + ".cu") << "#line 1 \"" << p->name << "\"\n" << host_text(p->source);
	std::string command = "g++ -std=c++17 -x c++ -O1 -mfma -ffp-contract=off -fwrapv -fno-strict-aliasing -fPIC -shared -fno-gnu-unique -Wl,-Bsymbolic -w -DNDGRAD_EMULATOR -include '" +
		own_folder() + "/emulator.h'";
	for (int i = 0; i < n; i++) {
		std::string option = options[i];
		for (const char *flag : {"--include-path=", "-I", "--define-macro=", "-D"})
			if (option.rfind(flag, 0) == 0)
				command += std::string(flag[1] == 'D' || flag[2] == 'd' ? " '-D" : " '-I") + option.substr(strlen(flag)) + "'";
	}
	command += " -o '" + base + ".so' '" + base + ".cu' 2> '" + base + ".log'";
	bool failed = system(command.c_str()) != 0;
	p->log = read_file(base + ".log");
	p->image = "NDGRAD-EMULATOR-SO:" + base + ".so";
	return failed ? 6 : 0;
}

int nvrtcGetProgramLogSize(Program *p, size_t *n) { *n = p->log.size() + 1; return 0; }
int nvrtcGetProgramLog(Program *p, char *to) { strcpy(to, p->log.c_str()); return 0; }
int nvrtcGetPTXSize(Program *p, size_t *n) { *n = p->image.size() + 1; return 0; }
int nvrtcGetPTX(Program *p, char *to) { strcpy(to, p->image.c_str()); return 0; }
int nvrtcGetCUBINSize(Program *p, size_t *n) { *n = p->image.size() + 1; return 0; }
int nvrtcGetCUBIN(Program *p, char *to) { strcpy(to, p->image.c_str()); return 0; }

} // extern "C"
