// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

// DejaVu Sans (a TrueType file each), put into the module when it is built.
extern "C" {
extern const unsigned char gpuhisto_font_regular[];
extern const unsigned char gpuhisto_font_bold[];
}
