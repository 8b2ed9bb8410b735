/*
 * Faults of the operating system in one process of a server that preloads this library. The test writes the process and the
 * faults to a file of eleven ints, which this library maps.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

struct faults
{
	int process;         /* the process in which the faults occur; 0 for none */
	int getrandom_errno; /* getrandom() fails with this errno, unless 0 */
	int device_errno;    /* opening /dev/random and /dev/urandom fails with this errno, unless 0 */
	int write_errno;     /* write() fails with this errno, unless 0; PostgreSQL itself uses other calls for files and sockets */
	int directory_errno; /* fsync() of a directory fails with this errno, unless 0 */
	int known;           /* getrandom() returns the same 32 bytes repeatedly, unless 0 */
	int ahead;           /* clock_gettime() returns this many seconds more; PostgreSQL itself uses another call */
	int allocation;      /* the number of the allocation that fails, counted down; 0 once it has failed, or if none is to fail */
	int lasting;         /* all allocations after the one that fails also fail, unless 0 */
	int recovery;        /* the extension sees recovery until the call of this number, and then its end; 0 for the true state */
	int allocated;       /* the number of calls of malloc() and its variants by the extension's own code */
};

static struct faults none;
static volatile struct faults *faults = &none;

__attribute__((constructor)) static void map_faults(void)
{
	const char *path = getenv("UUIDRFC_FAULTS");
	int file = path ? open(path, O_RDWR) : -1;
	void *map;

	if (file < 0)
		return;
	map = mmap(NULL, sizeof(struct faults), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (map != MAP_FAILED)
		faults = map;
	close(file);
}

static int here(void)
{
	return faults->process != 0 && faults->process == getpid();
}

/* Whether a call must fail with this errno, which is then set; 0 if it need not fail. */
static bool fails_with(int number)
{
	if (!here() || number == 0)
		return false;
	errno = number;
	return true;
}

ssize_t getrandom(void *buffer, size_t length, unsigned int flags)
{
	if (fails_with(faults->getrandom_errno))
		return -1;
	if (here() && faults->known)
	{
		size_t n;

		for (n = 0; n < length; n++)
			((unsigned char *) buffer)[n] = (unsigned char) (160 + n % 32 * 101);
		return (ssize_t) length;
	}
	return syscall(SYS_getrandom, buffer, length, flags);
}

ssize_t write(int file, const void *buffer, size_t length)
{
	if (fails_with(faults->write_errno))
		return -1;
	return syscall(SYS_write, file, buffer, length);
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
	int result = (int) syscall(SYS_clock_gettime, clock, time);

	if (result == 0 && clock == CLOCK_REALTIME && here())
		time->tv_sec += faults->ahead;
	return result;
}

int fsync(int file)
{
	struct stat status;

	if (fstat(file, &status) == 0 && S_ISDIR(status.st_mode) && fails_with(faults->directory_errno))
		return -1;
	return (int) syscall(SYS_fsync, file);
}

int open(const char *path, int flags, ...)
{
	va_list arguments;
	int mode;

	if ((!strcmp(path, "/dev/random") || !strcmp(path, "/dev/urandom")) && fails_with(faults->device_errno))
		return -1;
	va_start(arguments, flags);
	mode = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(arguments, int) : 0;
	va_end(arguments);
	return (int) syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

/* On 64-bit systems, both calls are the same. */
int open64(const char *path, int flags, ...) __attribute__((alias("open")));

/* The address range of the extension's library, once loaded. */
static uintptr_t extension_start, extension_end;

static bool (*recovery_in_progress)(void);

static bool told_recovery_in_progress(void)
{
	if (!here() || faults->recovery == 0)
		return recovery_in_progress();
	if (faults->recovery == 1)
		return false;
	faults->recovery--;
	return true;
}

static int allocation_fails(void);

/* Whether the next call of malloc() fails, so that PostgreSQL reports a lack of memory. */
static int refused;

static size_t size_to_ask_for(size_t size)
{
	if (!allocation_fails())
		return size;
	refused = 1;
	return 1 << 24; /* No context has a block with this much room. */
}

static void *(*palloc)(size_t);
static void *(*palloc0)(size_t);
static void *(*MemoryContextAlloc)(void *, size_t);

static void *told_palloc(size_t size)
{
	return palloc(size_to_ask_for(size));
}

static void *told_palloc0(size_t size)
{
	return palloc0(size_to_ask_for(size));
}

static void *told_MemoryContextAlloc(void *context, size_t size)
{
	return MemoryContextAlloc(context, size_to_ask_for(size));
}

static const struct
{
	const char *name;
	void *told, **real;
} told[] = {
	{"RecoveryInProgress", told_recovery_in_progress, (void **) &recovery_in_progress},
	{"palloc", told_palloc, (void **) &palloc},
	{"palloc0", told_palloc0, (void **) &palloc0},
	{"MemoryContextAlloc", told_MemoryContextAlloc, (void **) &MemoryContextAlloc},
};

/* Redirects the extension's calls of functions listed in `told`, but not the server's own calls. */
static void stand_between(uintptr_t base, const ElfW(Rela) *relocation, size_t size, const ElfW(Sym) *symbols, const char *names)
{
	const ElfW(Rela) *end = relocation + size / sizeof *relocation;
	uintptr_t page_size = (uintptr_t) sysconf(_SC_PAGESIZE);

	for (; relocation < end; relocation++)
	{
		uintptr_t place = base + relocation->r_offset;
		size_t n;

		for (n = 0; n < sizeof told / sizeof *told; n++)
		{
			if (strcmp(names + symbols[relocation->r_info >> 32].st_name, told[n].name) != 0)
				continue;
			if (mprotect((void *) (place & ~(page_size - 1)), page_size, PROT_READ | PROT_WRITE) != 0)
				abort();
			if (*(void **) place != told[n].told)
				*told[n].real = *(void **) place;
			*(void **) place = told[n].told;
		}
	}
}

static int look_at_library(struct dl_phdr_info *library, size_t size, void *unused)
{
	const ElfW(Dyn) *entry = NULL;
	ElfW(Addr) of[DT_NUM] = {0};
	int n;

	(void) size, (void) unused;
	if (!strstr(library->dlpi_name, "/uuidrfc.so"))
		return 0;
	for (n = 0; n < library->dlpi_phnum; n++)
	{
		const ElfW(Phdr) *part = &library->dlpi_phdr[n];

		if (part->p_type == PT_LOAD)
			extension_end = library->dlpi_addr + part->p_vaddr + part->p_memsz;
		else if (part->p_type == PT_DYNAMIC)
			entry = (const ElfW(Dyn) *) (library->dlpi_addr + part->p_vaddr);
	}
	extension_start = library->dlpi_addr;
	for (; entry && entry->d_tag != DT_NULL; entry++)
		if (entry->d_tag < DT_NUM)
			of[entry->d_tag] = entry->d_un.d_ptr;
	stand_between(library->dlpi_addr, (const void *) of[DT_RELA], of[DT_RELASZ], (const void *) of[DT_SYMTAB], (const void *) of[DT_STRTAB]);
	stand_between(library->dlpi_addr, (const void *) of[DT_JMPREL], of[DT_PLTRELSZ], (const void *) of[DT_SYMTAB], (const void *) of[DT_STRTAB]);
	return 1;
}

void *dlopen(const char *path, int mode)
{
	void *(*next)(const char *, int) = (void *(*)(const char *, int)) dlsym(RTLD_NEXT, "dlopen");
	void *library = next(path, mode);

	if (library && !extension_end)
		dl_iterate_phdr(look_at_library, NULL);
	return library;
}

static int allocation_fails(void)
{
	if (!here())
		return 0;
	if (faults->allocation == 0)
		return faults->lasting;
	return --faults->allocation == 0;
}

/* What is left of the block that the extension freed last. */
static size_t freed;

/* The loader ends the process if it cannot allocate thread-local variables, so its requests that fit into that block succeed. */
static int loader_finds(void *caller, size_t size)
{
	Dl_info from;

	if (size > freed || !dladdr(caller, &from) || !strstr(from.dli_fname, "/ld-linux"))
		return 0;
	freed -= size;
	return 1;
}

static int malloc_fails(void *caller, size_t size)
{
	if (here() && (uintptr_t) caller >= extension_start && (uintptr_t) caller < extension_end)
		faults->allocated++;
	if ((!refused && !allocation_fails()) || loader_finds(caller, size))
		return 0;
	refused = 0;
	errno = ENOMEM;
	return 1;
}

/* The C library's own functions, under the names that it provides for replacements. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);

void *malloc(size_t size)
{
	return malloc_fails(__builtin_return_address(0), size) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return malloc_fails(__builtin_return_address(0), count * size) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
	return malloc_fails(__builtin_return_address(0), size) ? NULL : __libc_realloc(old, size);
}

void free(void *memory)
{
	extern void __libc_free(void *memory);
	uintptr_t caller = (uintptr_t) __builtin_return_address(0);

	if (memory && here() && caller >= extension_start && caller < extension_end)
		freed = malloc_usable_size(memory);
	__libc_free(memory);
}

int posix_memalign(void **result, size_t alignment, size_t size)
{
	extern void *__libc_memalign(size_t alignment, size_t size);

	*result = malloc_fails(__builtin_return_address(0), size) ? NULL : __libc_memalign(alignment, size);
	return *result ? 0 : ENOMEM;
}
