// A plugin of QEMU that counts the instructions that a program executed, and prints the number at its end. The declarations
// are those of version 1 of QEMU's interface for plugins, whose header isn't packaged.

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct qemu_plugin_tb;
enum { INLINE_ADD_U64 = 0 };

extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
extern void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, void (*translated)(uint64_t, struct qemu_plugin_tb *));
extern void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *block, int op, void *number, uint64_t addend);
extern void qemu_plugin_register_atexit_cb(uint64_t id, void (*exited)(uint64_t, void *), void *data);

int qemu_plugin_version = 1;
static uint64_t instructions;

static void translated(uint64_t id, struct qemu_plugin_tb *block) {
  (void)id;
  qemu_plugin_register_vcpu_tb_exec_inline(block, INLINE_ADD_U64, &instructions, qemu_plugin_tb_n_insns(block));
}

static void exited(uint64_t id, void *data) {
  (void)id, (void)data;
  fprintf(stderr, "%" PRIu64 "\n", instructions);
}

int qemu_plugin_install(uint64_t id, const void *about, int count, char **arguments) {
  (void)about, (void)count, (void)arguments;
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, exited, NULL);
  return 0;
}
