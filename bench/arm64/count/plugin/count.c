// A plugin for qemu-user that counts the instructions of each thread. When a thread calls getpid with the number below as
// its first argument, its count goes to the standard error. What follows is declared as in qemu-plugin.h, version 1, which
// Debian's package of qemu-user does not contain.

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

struct qemu_plugin_tb;

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, void (*)(uint64_t id, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *, void (*)(unsigned thread, void *), int flags, void *);
void qemu_plugin_register_vcpu_syscall_cb(uint64_t id, void (*)(uint64_t id, unsigned thread, int64_t number, uint64_t, uint64_t,
	uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t));

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

enum { getpid = 172, threads = 4096 };

static uint64_t counts[threads];

static void executed(unsigned thread, void *instructions) { counts[thread % threads] += (uintptr_t)instructions; }

static void translated(uint64_t id, struct qemu_plugin_tb *block)
{
	qemu_plugin_register_vcpu_tb_exec_cb(block, executed, 0, (void *)(uintptr_t)qemu_plugin_tb_n_insns(block));
}

static void called(uint64_t id, unsigned thread, int64_t number, uint64_t first, uint64_t b, uint64_t c, uint64_t d, uint64_t e,
	uint64_t f, uint64_t g, uint64_t h)
{
	if (number == getpid && first == 0x636f756e74)
		fprintf(stderr, "%" PRIu64 "\n", counts[thread % threads]);
}

__attribute__((visibility("default"))) int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv)
{
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	qemu_plugin_register_vcpu_syscall_cb(id, called);
	return 0;
}
