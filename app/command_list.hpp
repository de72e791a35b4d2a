// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Every command as its help shows it, in the order of the help.
#pragma once

#include "commands.hpp"

namespace gpuhisto::app {

struct Command {
  const char* name;
  const char* summary;
  const char* usage;
  const char* examples;
  Run (*add)(CLI::App& app);
};

inline constexpr Command kCommands[] = {
    {"stats", "Statistics of each image and of all together", "[OPTIONS] INPUT...",
     "  gpuhisto stats photo.jpg\n"
     "  gpuhisto stats -r photos --total-only --format json\n"
     "  gpuhisto stats --mask roof.png --roi 0,0,640,200 photo.jpg\n"
     "  find . -name '*.png' -print0 | gpuhisto stats --files-from - -0 --format csv -o stats.csv",
     add_stats},
    {"hist", "Histograms as tables of 256 rows, or fewer bins", "[OPTIONS] INPUT...",
     "  gpuhisto hist photo.jpg > photo.csv\n"
     "  gpuhisto hist --format json --channels luma *.jpg\n"
     "  gpuhisto hist --bins 16 photo.jpg\n"
     "  gpuhisto hist photo.jpg -o photo.csv --plot photo.png",
     add_hist},
    {"equalize", "Histogram equalisation",
     "[OPTIONS] INPUT OUTPUT\n       gpuhisto equalize [OPTIONS] --output-dir DIR INPUT...",
     "  gpuhisto equalize in.jpg out.png\n"
     "  gpuhisto equalize --gray scan.png scan.png\n"
     "  gpuhisto equalize --output-dir equalized -r photos\n"
     "  curl -s URL | gpuhisto equalize - - --to png > out.png",
     add_equalize},
    {"stretch", "Contrast stretch: the darkest and brightest pixels to 0 and 255",
     "[OPTIONS] INPUT OUTPUT\n       gpuhisto stretch [OPTIONS] --output-dir DIR INPUT...",
     "  gpuhisto stretch in.jpg out.png\n"
     "  gpuhisto stretch --low 1% --high 0.1% --channels each in.jpg out.jpg\n"
     "  gpuhisto stretch --auto-gamma --output-dir brighter -r photos",
     add_stretch},
    {"match", "Give images the histogram of a reference",
     "[OPTIONS] REFERENCE INPUT OUTPUT\n       gpuhisto match [OPTIONS] --output-dir DIR REFERENCE INPUT...",
     "  gpuhisto match noon.jpg dusk.jpg like-noon.png\n"
     "  gpuhisto match --output-dir even frames/001.png frames/*.png\n"
     "  gpuhisto hist *.jpg > all.csv; gpuhisto match all.csv in.jpg out.png",
     add_match},
    {"plot", "A picture of a histogram: PNG, SVG or in the terminal", "[OPTIONS] INPUT...",
     "  gpuhisto plot photo.jpg\n"
     "  gpuhisto plot photo.jpg -o photo.png --log\n"
     "  gpuhisto hist *.jpg | gpuhisto plot - -o all.svg",
     add_plot},
    {"compare", "How alike histograms are: one against many", "[OPTIONS] REFERENCE INPUT...",
     "  gpuhisto compare before.jpg after.jpg\n"
     "  gpuhisto compare --sort emd photo.jpg -r photos | head\n"
     "  gpuhisto hist -r photos --format jsonl -o photos.jsonl   # counted once, then\n"
     "  gpuhisto compare --sort bhattacharyya --format csv photo.jpg photos.jsonl",
     add_compare},
    {"bench", "Time every counting method, verified, against the memory's speed", "[OPTIONS]",
     "  gpuhisto bench\n"
     "  gpuhisto bench --method per-block,vendor --pattern all --plot chart.png\n"
     "  gpuhisto bench --method per-block --policy replicas=1 --pixels 1M,16M,256M\n"
     "  gpuhisto bench --keys u32 --bins 4096 --pattern zipf --format csv -o keys.csv\n"
     "  gpuhisto bench --device emulated --pattern constant\n"
     "  gpuhisto bench --preset mi300x",
     add_bench},
    {"merge", "Add tables made elsewhere: the totals of shards, or of other data", "[OPTIONS] TABLE...",
     "  gpuhisto stats -r photos --shard 1/2 --format json -o 1.json   # and 2/2 elsewhere\n"
     "  gpuhisto merge 1.json 2.json\n"
     "  gpuhisto merge --partial --format json -o so-far.json *.json\n"
     "  gpuhisto merge --histograms --format csv *.json > total.csv",
     add_merge},
    {"devices", "What can count here, and why the rest cannot", "[OPTIONS]",
     "  gpuhisto devices\n"
     "  gpuhisto devices --format json",
     add_devices},
};

}  // namespace gpuhisto::app
