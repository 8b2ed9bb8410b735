"""The site's order of pages, and a check that each page looks as on GitHub and GitLab.

Python-Markdown, unlike these, needs an empty line before a list, and four spaces before a paragraph, a code block or a list
within an item.
"""
import html
import os
import re
from pathlib import Path

from markdown_it import MarkdownIt
from mkdocs.exceptions import PluginError

CODE = re.compile(r"`[^`]*`")
COMMENT = re.compile(r"^ *<!--.*?-->\n?", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[([^]]+)\]\(([^)#]+\.md)\)")


def on_config(config):
    """Takes the groups and the order of pages from the README's list."""
    readme = (Path(config.docs_dir) / "README.md").read_text()
    section = readme.partition("\n## Pages\n")[2].partition("\n## ")[0]
    groups = re.findall(r"^- \*\*(.*?)\*\*: (.*?)(?=^- |^$|\Z)", section, re.MULTILINE | re.DOTALL)
    config.nav = [{"Overview": "README.md"}]
    for group, links in groups:
        pages = LINK.findall(" ".join(links.split()))
        config.nav.append({group: [{title if "_" in title else title[0].upper() + title[1:]: page} for title, page in pages]})


def on_page_markdown(markdown, **_):
    """Removes comments, and the backslash that escapes a bar within code in a table."""
    lines = COMMENT.sub("", markdown).split("\n")
    return "\n".join(CODE.sub(lambda code: code[0].replace("\\|", "|"), line) if line.startswith("|") else line for line in lines)


def shape(text):
    """What a reader sees: the number of elements of each kind, and the text without white space."""
    tags = re.findall(r"<(li|ul|ol|table|tr|td|pre|h[1-6]|img|strong|em)\b", text)
    words = html.unescape(re.sub(r"<[^>]+>", "", re.sub(r"</(p|li|td|th|h\d|pre|div)>|<br ?/?>", " ", text)))
    return {tag: tags.count(tag) for tag in sorted(set(tags))}, "".join(words.replace("¶", "").split())


def on_page_content(content, page, **_):
    """A page must look as GitHub and GitLab show it."""
    source = COMMENT.sub("", Path(page.file.abs_src_path).read_text())
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
