// Records what a process does to the files of one directory, for the replay of power cuts. Preloaded into the process:
// every write, truncation, sync, creation and removal below SHIM_DIR is carried out and then appended to SHIM_LOG, one
// after the other, so that the log has one order and is never ahead of the disk. The process appends its own marks.
//
// A record: struct head in the byte order of the machine, the file's name within the directory ("" is the directory), then
// the bytes of a write. Wal-index (-shm) and lock files are left out: SQLite rebuilds the one, the other is empty.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

struct head { uint64_t kind, name, offset, size; };

enum { OPEN = 'o', WRITE = 'w', TRUNCATE = 't', SYNC = 's', REMOVE = 'u', UNKNOWN = '?' };

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static const char *dir;
static int out = -1;
static char *names[4096]; // of the files that are open, by descriptor

__attribute__((constructor)) static void start(void) {
	dir = getenv("SHIM_DIR");
	const char *log = getenv("SHIM_LOG");
	if (dir && log) out = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_APPEND | O_CLOEXEC, 0);
}

// inside returns the path's name within the directory, or NULL if it is not to be recorded.
static const char *inside(const char *path) {
	size_t n = dir ? strlen(dir) : 0, len = strlen(path);
	if (out < 0 || strncmp(path, dir, n) || (path[n] && path[n] != '/')) return NULL;
	if (len > 4 && !strcmp(path + len - 4, "-shm")) return NULL;
	return path[n] ? path + n + 1 : "";
}

static const char *name(int fd) { return fd >= 0 && fd < 4096 ? names[fd] : NULL; }

static void record(int kind, const char *name, uint64_t offset, uint64_t size, const void *data) {
	struct head h = {kind, strlen(name), offset, size};
	struct iovec parts[] = {{&h, sizeof h}, {(void *)name, h.name}, {(void *)data, data ? size : 0}};
	if (syscall(SYS_writev, out, parts, 3) != (long)(sizeof h + h.name + (data ? size : 0))) abort();
}

// WITH_TURN carries out a system call and records it if it succeeded, with nothing in between.
#define WITH_TURN(call, recorded)          \
	pthread_mutex_lock(&turn);             \
	long rc = call;                        \
	if (rc >= 0) recorded;                 \
	pthread_mutex_unlock(&turn);           \
	return rc

int open(const char *path, int flags, ...) {
	va_list more;
	va_start(more, flags);
	int mode = va_arg(more, int);
	va_end(more);
	const char *n = inside(path);
	if (!n) return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
	WITH_TURN(syscall(SYS_openat, AT_FDCWD, path, flags, mode), {
		record(OPEN, n, 0, 0, NULL);
		if (rc < 4096) names[rc] = strdup(n);
	});
}
int open64(const char *, int, ...) __attribute__((alias("open")));

int close(int fd) {
	const char *n = name(fd);
	if (!n) return syscall(SYS_close, fd);
	pthread_mutex_lock(&turn);
	free(names[fd]);
	names[fd] = NULL;
	pthread_mutex_unlock(&turn);
	return syscall(SYS_close, fd);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t at) {
	const char *n = name(fd);
	if (!n) return syscall(SYS_pwrite64, fd, data, size, at);
	WITH_TURN(syscall(SYS_pwrite64, fd, data, size, at), record(WRITE, n, at, rc, data));
}
ssize_t pwrite64(int, const void *, size_t, off_t) __attribute__((alias("pwrite")));

ssize_t write(int fd, const void *data, size_t size) { // SQLite uses pwrite; this would be lost
	const char *n = name(fd);
	if (n) record(UNKNOWN, n, 0, 0, NULL);
	return syscall(SYS_write, fd, data, size);
}

int ftruncate(int fd, off_t size) {
	const char *n = name(fd);
	if (!n) return syscall(SYS_ftruncate, fd, size);
	WITH_TURN(syscall(SYS_ftruncate, fd, size), record(TRUNCATE, n, 0, size, NULL));
}
int ftruncate64(int, off_t) __attribute__((alias("ftruncate")));

int fsync(int fd) {
	const char *n = name(fd);
	if (!n) return syscall(SYS_fsync, fd);
	WITH_TURN(syscall(SYS_fsync, fd), record(SYNC, n, 0, 0, NULL));
}
int fdatasync(int) __attribute__((alias("fsync")));

int unlink(const char *path) {
	const char *n = inside(path);
	if (!n) return syscall(SYS_unlinkat, AT_FDCWD, path, 0);
	WITH_TURN(syscall(SYS_unlinkat, AT_FDCWD, path, 0), record(REMOVE, n, 0, 0, NULL));
}
