// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

namespace gpuhisto::app {

/// From now on this process starts no program, opens no socket, touches no other process and changes no file's owner,
/// mode or times by name: the system calls for it fail with EPERM. False, with errno set, where the kernel or this
/// build has no filter.
bool refuse_system_calls();

}  // namespace gpuhisto::app
