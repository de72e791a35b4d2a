/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The gpuhisto authors
 *
 * The C ABI between gpuhisto and its device modules (gpuhisto_hip.so, gpuhisto_cuda.so, gpuhisto_emulated.so).
 *
 * A module exports gpuhisto_plugin(), which gives a table of functions. Every struct begins with its size in bytes, set by the
 * caller; a later version appends fields and values, and reads only as much as the caller's size covers. No function throws.
 * Each returns a gpuhisto_status; last_error() then tells the fact of this thread's last failure. A device may be used by one
 * thread at a time. Pixels are 8-bit and interleaved; sizes are in bytes unless they say pixels.
 */
#ifndef GPUHISTO_PLUGIN_H
#define GPUHISTO_PLUGIN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GPUHISTO_PLUGIN_ABI 1u
#define GPUHISTO_PLUGIN_ENTRY "gpuhisto_plugin"

typedef enum gpuhisto_status {
  GPUHISTO_OK = 0,
  GPUHISTO_BAD_REQUEST = 1,   /* the request makes no sense */
  GPUHISTO_UNSUPPORTED = 2,   /* this device, method or policy cannot do it; the text names the limit */
  GPUHISTO_OUT_OF_MEMORY = 3, /* of the device, or pinned; smaller pieces may fit */
  GPUHISTO_NO_DEVICE = 4,
  GPUHISTO_DEVICE_FAILED = 5, /* close it; nothing it holds can be trusted */
  GPUHISTO_OUT_OF_HOST_MEMORY = 6
} gpuhisto_status;

enum { GPUHISTO_LANES = 4 }; /* counts in the background at a time */
enum { GPUHISTO_CHANNELS = 5, GPUHISTO_BINS = 256 }; /* luma, red, green, blue, alpha */
enum {
  GPUHISTO_CHANNEL_LUMA = 1u,
  GPUHISTO_CHANNEL_RED = 2u,
  GPUHISTO_CHANNEL_GREEN = 4u,
  GPUHISTO_CHANNEL_BLUE = 8u,
  GPUHISTO_CHANNEL_ALPHA = 16u
};

typedef struct gpuhisto_device gpuhisto_device;

typedef struct gpuhisto_device_info {
  uint32_t size;
  int32_t index;
  char name[128];
  uint64_t memory_bytes;
  uint32_t multiprocessors;
  uint32_t wave_size;
  uint32_t shared_bytes; /* that one block can have */
  char failure[256];     /* "", or why it cannot be used; the rest, but for the index, may then be zero */
} gpuhisto_device_info;

typedef struct gpuhisto_method_info {
  uint32_t size;
  uint32_t exact;  /* 0: for teaching, loses counts; measure() alone runs it */
  uint32_t hidden; /* 1: help does not name it */
  char name[32];
  char summary[96];
} gpuhisto_method_info;

typedef enum gpuhisto_key { GPUHISTO_KEY_U8 = 0, GPUHISTO_KEY_U32 = 1 } gpuhisto_key;

/* Patterns of gpuhisto/pattern.hpp. */
typedef struct gpuhisto_fill {
  uint32_t size;
  uint32_t pattern;   /* its Pattern */
  uint32_t entropy_k;
  uint32_t key;       /* gpuhisto_key: bytes, or 32-bit keys */
  uint64_t seed;
  uint64_t first_index; /* of the first value */
  void* target;         /* device memory, aligned to the key */
  uint64_t bytes;       /* a multiple of the key's size */
  uint64_t range;       /* of U32 keys: values are below it, 1 to 2^32; unused for U8 */
} gpuhisto_fill;
typedef enum gpuhisto_luma {
  GPUHISTO_LUMA_NONE = 0,
  GPUHISTO_LUMA_BT601 = 1,
  GPUHISTO_LUMA_BT709 = 2,
  GPUHISTO_LUMA_AVERAGE = 3,
  GPUHISTO_LUMA_VALUE = 4,
  GPUHISTO_LUMA_YCRCB14 = 5
} gpuhisto_luma;
typedef enum gpuhisto_bin_rule {
  GPUHISTO_BIN_IDENTITY = 0, /* of U8 keys */
  GPUHISTO_BIN_MODULO = 1,   /* of U32 keys: key mod bins_count */
  GPUHISTO_BIN_RANGE = 2     /* of U32 keys: the key itself; keys that have no bin are left out */
} gpuhisto_bin_rule;
typedef enum gpuhisto_memory { GPUHISTO_ON_DEVICE = 0, GPUHISTO_ON_HOST = 1 } gpuhisto_memory;

/* A rectangle of pixels: rows of width pixels, row_bytes apart. Any size including 0, any alignment, any row_bytes that
 * holds a row. */
typedef struct gpuhisto_strip {
  const void* pixels;
  uint64_t width;  /* pixels */
  uint64_t height; /* rows */
  uint64_t row_bytes;
  const void* mask; /* NULL, or one byte a pixel in the same kind of memory: non-zero counts */
  uint64_t mask_row_bytes;
  uint64_t* bins; /* host: GPUHISTO_CHANNELS rows of GPUHISTO_BINS, that the counts are ADDED to; absent channels stay.
                     Of U32 keys: bins_count bins; a "pixel" is a key of 4 bytes, pixels is aligned to 4 */
} gpuhisto_strip;

typedef struct gpuhisto_count {
  uint32_t size;
  uint32_t key;       /* gpuhisto_key */
  uint32_t bin_rule;  /* gpuhisto_bin_rule */
  uint32_t channels;  /* interleaved in a pixel: 1 gray, 2 gray+alpha, 3 RGB, 4 RGBA */
  uint32_t luma;      /* gpuhisto_luma; of gray images the gray value whatever it says */
  uint32_t skip_transparent;
  uint32_t memory;    /* gpuhisto_memory of all strips */
  uint32_t strips_count;
  const gpuhisto_strip* strips;
  const char* method; /* "auto" lets the device choose */
  const char* policy; /* "key=value,..." over the method's own; NULL or "" for that */
  char counted_by[32]; /* out: the method that counted; another than asked where that one cannot */
  uint64_t bins_count; /* of U32 keys: 1 to 2^32 */
} gpuhisto_count;

typedef enum gpuhisto_apply_kind {
  GPUHISTO_APPLY_ONE = 0,        /* table[0] to every channel but alpha */
  GPUHISTO_APPLY_CHANNELS = 1,   /* table[c] to channel c of the pixel, alpha left as it is */
  GPUHISTO_APPLY_YCRCB_LUMA = 2, /* table[0] to Y of the 14-bit YCrCb, back to RGB; 3 or 4 channels */
  GPUHISTO_APPLY_TILES = 3       /* CLAHE: each tile gets a table by its own counts, and pixels go through those of the four
                                    nearest, bilinearly; of 3 or 4 channels Y of the 14-bit YCrCb. Each strip is an image */
} gpuhisto_apply_kind;

typedef struct gpuhisto_apply_strip {
  const void* from;
  void* to; /* may be `from` */
  uint64_t width;
  uint64_t height;
  uint64_t from_row_bytes;
  uint64_t to_row_bytes;
} gpuhisto_apply_strip;

typedef struct gpuhisto_apply {
  uint32_t size;
  uint32_t kind; /* gpuhisto_apply_kind */
  uint32_t channels;
  uint32_t skip_transparent; /* pixels of alpha 0 keep their values */
  uint32_t memory;
  uint32_t strips_count;
  const gpuhisto_apply_strip* strips;
  const uint8_t* tables; /* host; 256 bytes each; unused for TILES */
  /* Of TILES, added later: the grid, of one size for all strips, and of what size each tile is. Where it is larger than an
   * image, the image is mirrored beyond its right and lower side, the border itself not repeated. */
  uint32_t tiles_across;
  uint32_t tiles_down;
  uint64_t tile_width;
  uint64_t tile_height;
  uint64_t bin_limit; /* pixels that a bin of a tile may hold, the rest is spread over all bins; 0: no limit */
} gpuhisto_apply;

typedef enum gpuhisto_measured {
  GPUHISTO_MEASURE_METHOD = 0,
  GPUHISTO_MEASURE_READ = 1,  /* a kernel that reads the strip's bytes and no more: the roofline */
  GPUHISTO_MEASURE_COPY = 2,  /* a copy of the bytes within the device */
  GPUHISTO_MEASURE_APPLY = 3
} gpuhisto_measured;

/* What kernels did to memory, as a wave's hardware sees it; only the emulated device can tell. */
typedef struct gpuhisto_counters {
  uint32_t size;
  uint32_t known;               /* out: 0 on devices that cannot tell; then the rest is 0 */
  uint64_t global_atomics;      /* lanes that updated global memory */
  uint64_t shared_atomics;      /* lanes that updated shared memory */
  uint64_t shared_instructions; /* of waves, on shared memory */
  uint64_t shared_passes;       /* the same, each counted once per pass that its bank conflicts need */
  uint64_t same_address;        /* lanes that met another lane of their wave at one shared address */
} gpuhisto_counters;

typedef struct gpuhisto_measure {
  uint32_t size;
  uint32_t what;   /* gpuhisto_measured */
  uint32_t rounds; /* timed; an untimed launch goes before each */
  uint32_t burst;  /* launches per round, timed together; 0 is 1 */
  const gpuhisto_count* count; /* of METHOD and READ: one strip on the device; of METHOD also a batch, in one launch */
  const gpuhisto_apply* apply; /* of APPLY and COPY: one strip on the device */
  uint64_t stride;             /* bytes by which each launch of a burst moves on, so that caches do not serve it; or 0 */
  float* milliseconds;         /* out: one per round, each divided by the burst */
  uint64_t* bins;              /* out, of METHOD: the counts of the last launch, for each strip GPUHISTO_CHANNELS x
                                  GPUHISTO_BINS, or of U32 keys bins_count; or NULL */
  float second_kernel;         /* out: share of the time spent in the method's second kernel, if it has one; of APPLY
                                  with TILES, in mapping */
  gpuhisto_counters* counters; /* out: of one launch, which is not timed; or NULL */
} gpuhisto_measure;

typedef struct gpuhisto_description {
  uint32_t size;
  uint32_t registers;        /* per thread, of the main kernel */
  uint32_t spilled_bytes;    /* per thread */
  uint32_t shared_bytes;     /* per block */
  uint32_t block_threads;
  uint32_t blocks;           /* of the launch */
  uint32_t resident_blocks;  /* per multiprocessor */
  float occupancy;           /* 0..1 of the threads a multiprocessor can hold */
  uint32_t passes;           /* over the pixels */
  char kernel[64];
  char policy[256];
  uint64_t pixels_per_launch; /* 32-bit counters: more pixels are cut into several launches */
} gpuhisto_description;

typedef struct gpuhisto_plugin_table {
  uint32_t size;
  uint32_t abi_version;
  const char* platform; /* "hip", "cuda", "emulated" */
  /* Up to `capacity` entries, each with its size set, and their number. NO_DEVICE, DEVICE_FAILED: last_error tells why. */
  gpuhisto_status (*list_devices)(gpuhisto_device_info* infos, uint32_t capacity, uint32_t* count);
  gpuhisto_status (*list_methods)(gpuhisto_method_info* infos, uint32_t capacity, uint32_t* count);
  gpuhisto_status (*open_device)(int32_t index, gpuhisto_device** device);
  void (*close_device)(gpuhisto_device* device);
  gpuhisto_status (*allocate)(gpuhisto_device* device, uint64_t bytes, void** memory);
  void (*release)(gpuhisto_device* device, void* memory);
  gpuhisto_status (*upload)(gpuhisto_device* device, void* to, const void* from, uint64_t bytes);
  gpuhisto_status (*download)(gpuhisto_device* device, void* to, const void* from, uint64_t bytes);
  gpuhisto_status (*fill)(gpuhisto_device* device, const gpuhisto_fill* fill);
  gpuhisto_status (*count)(gpuhisto_device* device, gpuhisto_count* count);
  gpuhisto_status (*apply)(gpuhisto_device* device, const gpuhisto_apply* apply);
  gpuhisto_status (*measure)(gpuhisto_device* device, gpuhisto_measure* measure);
  /* What `measure` would launch: for the first strip, or for several images on the device the batch. */
  gpuhisto_status (*describe)(gpuhisto_device* device, const gpuhisto_count* count, gpuhisto_description* description);
  const char* (*last_error)(void);
  /* Host memory that the device copies from at full speed. */
  gpuhisto_status (*allocate_pinned)(gpuhisto_device* device, uint64_t bytes, void** memory);
  void (*release_pinned)(gpuhisto_device* device, void* memory);
  /* Counts in the background: start_count() returns at once, finish_count() waits and adds the counts to the strips' bins.
   * Of U8 keys, without masks. The strips, at most 256, lie in one piece of pinned memory, which is copied from the first to
   * the last; it and the bins must stay until finish_count(). Each lane has one count at a time; those of different lanes
   * overlap. finish_count() of an idle lane does nothing; after a failure the lane is idle, and its counts are lost.
   * finish_count() alone may be called while other threads use the device, each lane by one thread at a time. */
  gpuhisto_status (*start_count)(gpuhisto_device* device, gpuhisto_count* count, uint32_t lane);
  gpuhisto_status (*finish_count)(gpuhisto_device* device, uint32_t lane);
} gpuhisto_plugin_table;

/* NULL when the module does not know that version. */
typedef const gpuhisto_plugin_table* gpuhisto_plugin_entry(uint32_t abi_version);

#ifdef __cplusplus
}
#endif
#endif
