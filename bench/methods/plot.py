# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The gpuhisto authors
"""Bar charts as SVG: a group of bars a method, a bar a pattern."""
import re
from xml.sax.saxutils import escape

COLORS = {'uniform': '#4269d0', 'constant': '#efb118', 'two-level': '#ff725c', 'photo': '#6cc5b0', 'gauss': '#3ca951',
          'every-4th-fixed': '#ff8ab7', 'hot-90': '#a463f2', 'ramp': '#97bbf5', 'zipf': '#9c6b4e'}
OTHER = '#9498a0'
WIDTH, LEFT, RIGHT, TOP, PLOT, BOTTOM = 960, 48, 12, 62, 230, 46


def text(x, y, words, anchor='middle', size=12, more=''):
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}"{more}>{escape(words)}</text>'


def legend(patterns):
    parts, x = [], LEFT
    for pattern in patterns:
        parts.append(f'<rect x="{x}" y="34" width="11" height="11" fill="{COLORS.get(pattern, OTHER)}"/>')
        parts.append(text(x + 16, 44, pattern, 'start'))
        x += 34 + 7 * len(pattern)
    return parts


def bars(title, patterns, groups, top=100):
    """groups: (name, a value in percent or None for each pattern); top: the highest percentage with a line."""
    height = TOP + PLOT + BOTTOM

    def y(percent):
        return TOP + PLOT * (1 - min(percent, 1.04 * top) / (1.04 * top))
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
             'font-family="DejaVu Sans, Helvetica, Arial, sans-serif" fill="#222">',
             f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>', text(LEFT, 20, title, 'start', 14, ' font-weight="bold"')]
    parts += legend(patterns)
    for percent in range(0, top + 1, 20 * -(-top // 200)):
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(percent):.1f}" y2="{y(percent):.1f}" '
                     f'stroke="{"#555" if percent in (0, 100) else "#ddd"}"/>')
        parts.append(text(LEFT - 6, y(percent) + 4, f'{percent} %', 'end', 11))
    step = (WIDTH - LEFT - RIGHT) / len(groups)
    width = min(step * 0.84 / len(patterns), 26)
    for index, (name, values) in enumerate(groups):
        middle = LEFT + step * (index + 0.5)
        start = middle - width * len(patterns) / 2
        for k, value in enumerate(values):
            if value is not None:
                parts.append(f'<rect x="{start + k * width:.1f}" y="{y(value):.1f}" width="{width - 1:.1f}" '
                             f'height="{y(0) - y(value):.1f}" fill="{COLORS.get(patterns[k], OTHER)}">'
                             f'<title>{escape(name)}, {escape(patterns[k])}: {value:.1f} %</title></rect>')
        for k, words in enumerate(name.split('\n')):
            parts.append(text(middle, TOP + PLOT + 17 + 15 * k, words))
    return '\n'.join(parts) + '\n</svg>\n'


def stack(charts):
    """One picture of several, one below the other."""
    heights = [int(re.search(r' height="(\d+)"', chart)[1]) for chart in charts]
    parts = [chart.replace('<svg ', f'<svg y="{sum(heights[:i])}" ', 1) for i, chart in enumerate(charts)]
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {sum(heights)}" width="{WIDTH}" '
            f'height="{sum(heights)}">\n' + ''.join(parts) + '</svg>\n')


def of_section(results, section, title, labels):
    """labels: of the report's lines, with the name that a group of bars gets."""
    report = results.report
    patterns = report.patterns(section)
    groups = [(name, [report.at(section, p, label).share for p in patterns]) for label, name in labels.items()]
    return bars(title, patterns, groups)


GRAY = {'per-block': 'per-block', 'per-block-partial': 'per-block-\npartial', 'per-thread check': 'per-thread\ncheck',
        'per-thread periodic-merge': 'per-thread\nperiodic-merge', 'per-thread avoid': 'per-thread\navoid', 'vendor': 'vendor'}
COLOR = {'RGB': 'RGB', 'RGB + luma': 'RGB + luma', 'RGB + luma, base + 1': 'RGB + luma,\nbase + 1', 'RGBA + luma': 'RGBA + luma',
         'gray + alpha': 'gray + alpha'}
KEYS = {name: name for name in ('per-block', 'per-block-partial', 'vendor', 'wave-aggregated', 'per-grid')}
PLOTS = {'gray.svg': ('gray', 'Gray: share of the rate of a kernel that only reads', GRAY),
         'color.svg': ('color', 'per-block, color: share of the rate of a kernel that only reads', COLOR),
         'keys-256.svg': ('keys, 256 bins', '32-bit keys, 256 bins: share of the rate of a kernel that only reads', KEYS),
         'keys-4096.svg': ('keys, 4096 bins', '32-bit keys, 4096 bins: share of the rate of a kernel that only reads', KEYS)}


def all_of(results):
    """name of the file -> SVG"""
    return {name: of_section(results, *arguments) for name, arguments in PLOTS.items()}
