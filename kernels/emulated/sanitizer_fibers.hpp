// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// What the address and thread sanitizers must be told about a switch between fibers; nothing in a plain build. The
// build defines GPUHISTO_ASAN or GPUHISTO_TSAN for the scheduler, which is itself compiled without instrumentation.
#pragma once

#include <cstddef>

#if defined(GPUHISTO_ASAN)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(GPUHISTO_TSAN)
extern "C" {
void* __tsan_get_current_fiber();
void* __tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void* fiber);
void __tsan_switch_to_fiber(void* fiber, unsigned flags);
void __tsan_acquire(void* tag);
void __tsan_release(void* tag);
}
#endif

namespace gpuhisto::emulated {

#if defined(GPUHISTO_ASAN)
inline void before_switch(void** save, const void* bottom, std::size_t size) {
  __sanitizer_start_switch_fiber(save, bottom, size);
}
inline void after_switch(void* saved, const void** bottom, std::size_t* size) {
  __sanitizer_finish_switch_fiber(saved, bottom, size);
}
inline void forget_stack(void* stack, std::size_t size) { __asan_unpoison_memory_region(stack, size); }
#else
inline void before_switch(void**, const void*, std::size_t) {}
inline void after_switch(void*, const void**, std::size_t*) {}
inline void forget_stack(void*, std::size_t) {}
#endif

#if defined(GPUHISTO_TSAN)
inline void acquire(void* tag) { __tsan_acquire(tag); }
inline void release(void* tag) { __tsan_release(tag); }
inline void* current_fiber() { return __tsan_get_current_fiber(); }
inline void* create_fiber() { return __tsan_create_fiber(0); }
inline void destroy_fiber(void* fiber) { __tsan_destroy_fiber(fiber); }
/// Switches without ordering the two fibers: order between lanes comes from barriers alone.
inline void switch_fiber(void* fiber) { __tsan_switch_to_fiber(fiber, 1); }
/// What an abandoned fiber did comes before what `to`, the running one, does next.
inline void take_over(void* from, void* to) {
  __tsan_switch_to_fiber(from, 1);
  __tsan_switch_to_fiber(to, 0);
}
#else
inline void take_over(void*, void*) {}
inline void acquire(void*) {}
inline void release(void*) {}
inline void* current_fiber() { return nullptr; }
inline void* create_fiber() { return nullptr; }
inline void destroy_fiber(void*) {}
inline void switch_fiber(void*) {}
#endif

}  // namespace gpuhisto::emulated
