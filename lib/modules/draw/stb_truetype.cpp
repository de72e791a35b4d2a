// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// The one place where stb_truetype's functions are compiled.
#define STB_TRUETYPE_IMPLEMENTATION
#include <stb/stb_truetype.h>
