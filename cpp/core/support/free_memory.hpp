// How much memory the machine, or the container that the process runs in, has left.
#pragma once

#include <cstdint>

namespace lawful {

// Bytes. Asks the system at most a few times a second.
//   Linux: MemAvailable of /proc/meminfo, or what the process's control group (v2 or v1) leaves, whichever is less.
//   macOS: free, inactive and purgeable pages. Windows: available physical memory.
//   Elsewhere, or if the system does not say: half of the physical memory; if that is unknown too, 2 GiB.
int64_t free_memory();

}  // namespace lawful
