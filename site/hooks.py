"""The site's order of pages, and the conversion of GitHub's Markdown to the dialect of Python-Markdown."""
import html
import os
import re
from pathlib import Path

from markdown_it import MarkdownIt
from mkdocs.exceptions import PluginError

FENCE = re.compile(r"^ *(```|~~~)")
ITEM = re.compile(r"^( *)([-*+]|\d+[.)])( +)(?=\S)")
LINK = re.compile(r"\[([^]]+)\]\(([^)#]+\.md)\)")


def on_config(config):
    """Takes the groups and the order of pages from the README's list."""
    readme = (Path(config.docs_dir) / "README.md").read_text()
    section = readme.partition("\n## Pages\n")[2].partition("\n## ")[0]
    groups = re.findall(r"^- \*\*(.*?)\*\*: (.*?)(?=^- |^$|\Z)", section, re.MULTILINE | re.DOTALL)
    config.nav = [{"Overview": "README.md"}] + [
        {group: [{title if "_" in title.split()[0] else title[0].upper() + title[1:]: page} for title, page in LINK.findall(" ".join(links.split()))]} for group, links in groups]


def on_page_markdown(markdown, **_):
    """Adds an empty line before each list, and indents each level by four spaces, as Python-Markdown requires."""
    lines, levels, is_code, was_blank, is_item, is_further = [], [], False, True, False, False
    for line in re.sub(r"^ *<!--.*?-->\n?", "", markdown, flags=re.MULTILINE | re.DOTALL).split("\n"):
        indent = len(line) - len(line.lstrip())
        item = None if is_code else ITEM.match(line)
        if item and not (was_blank or levels or item[2] in "-*+" or item[2][:-1] == "1"):
            # A number that begins a line of a paragraph.
            item = None
        if line.strip() and not is_code:
            # The levels that still contain this line. A continuation line of a paragraph may have any indentation.
            if was_blank or item or FENCE.match(line):
                levels = [level for level in levels if indent >= level]
            if item:
                # An item after a second paragraph of the previous one needs the line as well.
                if not was_blank and (is_further or not levels and not is_item):
                    lines.append("")
                depth = len(levels)
                levels.append(item.end())
                line = " " * (4 * depth) + item[2] + " " * (4 - len(item[2]) if len(item[2]) < 4 else 1) + line[item.end():]
        if not item and levels and line.strip():
            line = " " * (4 * len(levels)) + line[min(indent, levels[-1]):]
        if FENCE.match(line):
            is_code = not is_code
        is_item, is_further = bool(levels), not item and bool(levels) and (was_blank or is_further)
        was_blank = not line.strip()
        # A bar within code in a table is escaped by a backslash.
        lines.append(re.sub(r"`[^`]*`", lambda code: code[0].replace("\\|", "|"), line) if line.startswith("|") else line)
    return "\n".join(lines)


def shape(text):
    """What a reader sees: the number of elements of each kind, and the text without white space."""
    tags = re.findall(r"<(li|ul|ol|table|tr|td|pre|h[1-6]|img|strong|em)\b", text)
    words = html.unescape(re.sub(r"<[^>]+>", "", re.sub(r"</(p|li|td|th|h\d|pre|div)>|<br ?/?>", " ", text)))
    return {tag: tags.count(tag) for tag in sorted(set(tags))}, "".join(words.replace("¶", "").split())


def on_page_content(content, page, **_):
    """A page must look as GitHub and GitLab show it."""
    source = re.sub(r"^ *<!--.*?-->\n?", "", Path(page.file.abs_src_path).read_text(), flags=re.MULTILINE | re.DOTALL)
    expected, got = shape(MarkdownIt("commonmark").enable("table").render(source)), shape(content)
    if expected[0] != got[0]:
        raise PluginError(f"{page.file.src_uri}: {got[0]} in place of {expected[0]}")
    if expected[1] != got[1]:
        at = len(os.path.commonprefix([expected[1], got[1]]))
        wrong, right = (text[max(at - 30, 0):at + 30] for text in (got[1], expected[1]))
        raise PluginError(f"{page.file.src_uri}: shows {wrong!r} in place of {right!r}")


def on_post_page(output, **_):
    """The theme's search has no name for screen readers."""
    return output.replace('data-md-component="search" role="dialog"', 'data-md-component="search" role="dialog" aria-label="Search"')
