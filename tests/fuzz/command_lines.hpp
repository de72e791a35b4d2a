// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// First inputs of the target `arguments`: the environment and the words of command lines, one a line.
#pragma once

namespace gpuhisto::fuzz {

inline constexpr const char* kCommandLines[] = {
    "stats\na.pgm\na.png\nb.ppm\n--format=csv\n--percentiles\n2.5,50\n--channels=luma,red",
    "stats\n-r\nd\n.\n--include\n*.png\n--exclude=a*\n--shard\n1/2\n-o\nout.json\n--format=json\n--histograms",
    "hist\na.jpg\n--cumulative\n--no-header\n--tolerate-damage\n--\nb.ppm",
    "hist\n--files-from\nnames\n-o\nx.csv\n--plot\nx.svg",
    "equalize\na.jpg\nx.png\n--gray\n--luma=average\n-n",
    "equalize\n--output-dir\no\na.png\na.jpg\n--to=pam\n--channels=each\n-j\n2",
    "equalize\na.png\nx.jpg\n--background=#fa0\n--quality=50",
    "stretch\na.png\nx.jpg\n--low=2%\n--high=0.25\n--auto-gamma\n--channels=joint",
    "match\na.png\na.jpg\nx.png\n--channels=each",
    "match\n--output-dir\no\na.pgm\na.png\na.jpg",
    "plot\na.csv\n--log\n--to=svg\n-o\nx.svg",
    "plot\na.pgm\n--cumulative\n--channels=red",
    "plot\na.pgm\nb.ppm\na.csv\n-o\nx.svg\n--layout=stacked\n--theme=dark\n--scale=2",
    "merge\n1.json\n2.json\n--format=csv\n--histograms",
    "merge\n--partial\n1.json\n--percentiles=1.5",
    "bench\n--method=all\n--pattern=uniform,zipf\n--format=json",
    "bench\n--keys=u32\n--bins=4096\n--map=range\n--key-range=2^10\n--device=emulated\n--policy=block=128,replicas="
    "2",
    "bench\n--batch\n2x2x2\n--channels=rgb+luma\n--hot\n--seed=2",
    "devices\n--format=json",
    "help\nstats",
    "--version",
    "stats\n--max-memory=1M\n--max-pixels\n1K\n--strict\n-\n-q\n-v",
    "GPUHISTO_DEVICE=emulated\nGPUHISTO_METHOD=per-block\nstats\na.png\n--policy\noverflow=avoid,layout=row",
    "GPUHISTO_THREADS=2\nSLURM_PROCID=1\nSLURM_NTASKS=2\nstats\n--shard=slurm\na.png\na.jpg",
    "JOB_COMPLETION_INDEX=0\nstats\n--shard=k8s:2\na.png\n--progress=always\n--fail-fast\n--alpha=skip\n--total-"
    "only"};

}  // namespace gpuhisto::fuzz
