"""Draws the data of the playground, in SVG for light and dark pages.

  pictures.py STATES FILE    draws the states that the feeds of changes of `make demo` wrote into the file STATES
"""
import itertools
import sys
from html import escape
from pathlib import Path

RED, GREEN, BLUE = "#e0413a", "#2ca04e", "#2f7de8"
STYLE = """<style>
text { font: 13px sans-serif; fill: #1f2328 } .title { font-size: 18px } .paper { fill: #fff } .frame { fill: none; stroke: #d1d9e0 }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .paper { fill: #0d1117 } .frame { stroke: #3d444d } }
</style>"""


class Picture:
    """A picture of `width` by `height` pixels, to which parts are added."""

    def __init__(self, title, below, width=900, height=340):
        self.size = width, height
        self.parts = []
        # Marks are collected in a path for each style, because a picture has thousands.
        self.marks = {}
        self.text(20, 30, title, "title")
        self.text(20, 54, below)

    def text(self, x, y, text, css="label"):
        self.parts.append(f'<text x="{x:.0f}" y="{y:.0f}" class="{css}">{escape(text)}</text>')

    def frame(self, x, y, width, height):
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" class="frame"/>')

    def mark(self, style, path):
        self.marks.setdefault(style, []).append(path)

    def cell(self, x, y, side, colour, opacity):
        self.mark(f'fill="{colour}" fill-opacity="{opacity:.1f}"', f"M{x:.0f} {y:.0f}h{side:.1f}v{side:.1f}h-{side:.1f}z")

    def dot(self, x, y, colour):
        self.mark(f'stroke="{colour}" stroke-opacity="0.75" stroke-width="3.6" stroke-linecap="round"', f"M{x:.0f} {y:.0f}h0")

    def write(self, path):
        width, height = self.size
        marks = [f'<path {style} d="{"".join(paths)}"/>' for style, paths in self.marks.items()]
        path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">\n'
                        f'{STYLE}\n<rect class="paper" width="{width}" height="{height}"/>\n' + "\n".join(self.parts + marks) + "\n</svg>\n")


IDS = """
    SELECT n, leading_bits(uuidv4()), leading_bits(uuid_v6_to_v1(uuidv6_at(uuidv7_time(id)))), leading_bits(id)
    FROM (SELECT row_number() OVER (ORDER BY id) AS n, count(*) OVER () AS of, id FROM visit) numbered
    WHERE n % greatest(of / 500, 1) = 0 ORDER BY n"""


def ids(rows):
    """Draws keys in the order in which rows were created, from rows of a number and the leading bits of versions 4, 1 and 7."""
    picture = Picture("Keys over time", f"{len(rows)} rows of a year, from the first to the last; higher is later in ORDER BY id")
    names = [("version 4: anywhere", RED), ("version 1: by the fast part of its time", RED), ("version 7: at the end", GREEN)]
    for column, (name, colour) in enumerate(names, 1):
        left = 20 + (column - 1) * 295
        picture.frame(left, 90, 270, 230)
        picture.text(left, 82, name)
        keys = [row[column] for row in rows]
        least, most = min(keys), max(keys)
        for row in rows:
            picture.dot(left + 270 * row[0] / rows[-1][0], 320 - 230 * (row[column] - least) / (most - least), colour)
    return picture


INDEX = """
    SELECT page, 100 - free_size / 81.52 FROM generate_series(1, pg_relation_size('{0}') / 8192 - 1) page, bt_page_stats('{0}', page)
    WHERE type = 'l' ORDER BY page"""


def index(keys, by_v4, by_v7):
    """Draws the leaf pages of two indexes with the same number of keys, from rows of a page's number and fill in percent."""
    picture = Picture("The same keys, two indexes", f"{keys:,} keys each; a square is a page of 8 KB; a stronger color means a fuller page")
    # Both indexes are drawn at the same scale.
    most = max(len(by_v4), len(by_v7))
    side = next(side for side in range(60, 0, -1) if (420 // side) * (235 // side) >= most)
    for left, name, pages, colour in (20, "version 4", by_v4, RED), (460, "version 7", by_v7, GREEN):
        full = sum(page[1] for page in pages) / len(pages)
        picture.text(left, 82, f"{name}: {len(pages):,} pages, {full:.0f} % full")
        for place, (_, percent) in enumerate(pages):
            row, column = divmod(place, 420 // side)
            picture.cell(left + column * side, 90 + row * side, side - side / 8, colour, percent / 100)
    return picture


def changes(lines):
    """Draws changes as they were read. Each of four lines is about a reader: the number of stale rows and, for each state that
    it read or lacks, the milliseconds to the commit, and from it to the reading, or `-`. Prepared transactions are omitted."""
    readers = [(words[0], list(zip(words[1::2], words[2::2]))) for words in (line.split() for line in lines)]
    last = max(int(commit) for _, states in readers for commit, _ in states)
    most = max(int(after) for _, states in readers for _, after in states if after != "-")
    picture = Picture("When a change was read", f"Eight sessions insert, update and delete. How long after its commit each row was read, up to {most} ms; "
                      "red ones are stale in the end", height=620)
    conditions = itertools.product(("on the server", "on a standby"), ("changed > $last", "changed > $last AND changed < horizon"))
    for number, ((where, condition), (stale, states)) in enumerate(zip(conditions, readers, strict=True)):
        left, top = 20 + number % 2 * 440, 90 + number // 2 * 280
        picture.text(left, top - 8, f"{where}, {condition}: {stale} stale")
        picture.frame(left, top, 420, 230)
        for commit, after in states:
            y = top + 10 + int(commit) % 10 if after == "-" else top + 230 - 200 * int(after) / most
            picture.dot(left + 420 * int(commit) / last, y, RED if after == "-" else BLUE)
    return picture


if __name__ == "__main__":
    changes(Path(sys.argv[1]).read_text().splitlines()).write(Path(sys.argv[2]))
