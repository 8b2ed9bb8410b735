#!/usr/bin/env python3
"""Lists and copies the crates from which the extension is built, for packages.

  bundled-crates.py vendor DIRECTORY  copies their source into DIRECTORY, a source that cargo can use without a network
  bundled-crates.py copyright         prints debian/copyright with a paragraph for each crate, and the text of each license, and
                                      fails if a crate has an unknown license
  bundled-crates.py sbom              prints the crates that are in the library, in the format of CycloneDX

Packages need not include the crates of tests, but cargo requires all crates that Cargo.lock names. Of the former, `vendor`
therefore copies only Cargo.toml, and adds an empty src/lib.rs.
"""
import json
import re
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path

TOP = Path(__file__).parent.parent
TARGETS = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"]

# For each SPDX license: its name in Debian's format, and a file with its text in a crate, or None for Debian's own copy.
LICENSES = {
    "Apache-2.0": ("Apache-2.0", None),
    "BSD-3-Clause": ("BSD-3-clause", "bindgen/LICENSE"),
    "ISC": ("ISC", "libloading/LICENSE"),
    "MIT": ("Expat", "bitvec/LICENSE.txt"),
    "Unicode-3.0": ("Unicode-3.0", "unicode-ident/LICENSE-UNICODE"),
    "Unlicense": ("Unlicense", "memchr/UNLICENSE"),
    "Zlib": ("Zlib", "foldhash/LICENSE"),
}


def cargo(*arguments):
    return subprocess.run(["cargo", *arguments], cwd=TOP, check=True, stdout=subprocess.PIPE, text=True).stdout


def needed(edges="normal,build"):
    """Returns the third-party crates that are compiled for the extension and its build, as (name, version)."""
    tree = cargo("tree", "--locked", "--package", "uuidrfc", "--edges", edges, "--prefix", "none", "--format", "{p}",
                 *(word for target in TARGETS for word in ("--target", target)))
    crates = {tuple(line.split()[:2]) for line in tree.splitlines() if line and "(/" not in line}
    return {(name, version.removeprefix("v")) for name, version in crates}


def manifests():
    """Returns cargo's descriptions of the needed crates, sorted by name and version."""
    wanted = needed()
    packages = json.loads(cargo("metadata", "--locked", "--format-version", "1", "--filter-platform", TARGETS[0]))["packages"]
    found = {(package["name"], package["version"]): package for package in packages}
    return [found[crate] for crate in sorted(wanted)]


def sbom():
    own = tomllib.loads((TOP / "Cargo.toml").read_text())["workspace"]["package"]
    sums = {(crate["name"], crate["version"]): crate.get("checksum") for crate in tomllib.loads((TOP / "Cargo.lock").read_text())["package"]}
    inside = needed("normal,no-proc-macro")
    components = [{"type": "library", "name": name, "version": version, "purl": f"pkg:cargo/{name}@{version}",
                   "hashes": [{"alg": "SHA-256", "content": sums[name, version]}],
                   "licenses": [{"expression": re.sub(r"\s*/\s*", " OR ", package["license"])}]}
                  for package in manifests() if (name := package["name"], version := package["version"]) in inside]
    return {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "components": components,
            "metadata": {"component": {"type": "library", "name": "uuidrfc", "version": own["version"],
                                       "licenses": [{"expression": own["license"]}]}}}


def vendor(directory):
    cargo("vendor", "--quiet", "--locked", "--versioned-dirs", str(directory.resolve()))
    wanted = {f"{name}-{version}" for name, version in needed()}
    for crate in directory.iterdir():
        sums = json.loads((crate / ".cargo-checksum.json").read_text())
        # Packages must not include compiled programs, which some crates have for tests on other systems.
        unwanted = [path for path in crate.rglob("*") if path.is_file() and path.name not in ("Cargo.toml", ".cargo-checksum.json")
                    and (crate.name not in wanted or path.suffix in (".dll", ".exe", ".lib"))]
        for path in unwanted:
            path.unlink()
            del sums["files"][str(path.relative_to(crate))]
        if crate.name not in wanted:
            (crate / "src").mkdir(exist_ok=True)
            (crate / "src/lib.rs").touch()
        (crate / ".cargo-checksum.json").write_text(json.dumps(sums))


def holders(package):
    """Returns the copyright holders that the crate's files name, or the crate's authors if the files name none."""
    directory = Path(package["manifest_path"]).parent
    lines = [line for file in sorted(directory.glob("*")) if re.match("(?i)(un)?licen[cs]e|copy", file.name) and file.is_file()
             for line in file.read_text(errors="replace").splitlines()]
    found = [re.match(r"\W*(?i:copyright)\b\s*(?:\((?i:c)\)|©)?:?\s+(?=\w)((?:\d.*|[Tt]he .*|[A-Z].*))$", line) for line in lines]
    found = [match[1].strip(" .*") for match in found if match and not re.match("(?i)owner|notice|license|holder|law|and ", match[1])]
    authors = package["authors"] or [f'the developers of {package["name"]}']
    # A line may contain only years.
    found = [who if re.search("[A-Za-z]", who) else f"{who} {', '.join(authors)}" for who in found]
    return list(dict.fromkeys(found)) or authors


def debian_license(package):
    expression = re.sub(r"\s*/\s*", " OR ", package["license"])
    for spdx, (debian, _) in LICENSES.items():
        expression = re.sub(rf"(?<![\w.-]){re.escape(spdx)}(?![\w.-])", debian, expression)
    # Debian's format has a comma where SPDX has parentheses.
    return re.sub(r"\((.*)\) AND", r"\1, and", expression).replace(" OR ", " or ").replace(" AND ", " and ")


def indented(text):
    return "\n".join(" " + line.rstrip() if line.strip() else " ." for line in textwrap.dedent(text).strip().splitlines())


def text_of(spdx, file, packages):
    if file is None:
        return indented(f"On Debian systems, the text of this license is in\n/usr/share/common-licenses/{spdx}.")
    crate, _, name = file.partition("/")
    directory = next(Path(package["manifest_path"]).parent for package in packages if package["name"] == crate)
    text = (directory / name).read_text()
    # The text begins where it grants permissions, after the names of the copyright holders.
    start = re.search(r"^.*(?:Permission |Redistribution |This is free|This software is provided)", text, re.M)
    return indented(text[start.start():])


def copyright():
    packages = manifests()
    unknown = {package["name"] for package in packages
               if set(re.findall(r"[\w.-]+", re.sub(r"\b(OR|AND)\b|/", " ", package["license"] or "none"))) - set(LICENSES)}
    if unknown:
        sys.exit(f"bundled-crates.py: the licenses of {unknown} are not in LICENSES")
    paragraphs = [(TOP / "debian/copyright").read_text().rstrip()]
    for package in packages:
        who = "\n           ".join(holders(package))
        paragraphs.append(f'Files: vendor/{package["name"]}-{package["version"]}/*\nCopyright: {who}\n'
                          f"License: {debian_license(package)}")
    used = " ".join(package["license"] for package in packages)
    paragraphs += [f"License: {debian}\n{text_of(spdx, file, packages)}" for spdx, (debian, file) in LICENSES.items() if spdx in used]
    return "\n\n".join(paragraphs) + "\n"


match sys.argv[1:]:
    case ["vendor", directory]:
        vendor(Path(directory))
    case ["sbom"]:
        print(json.dumps(sbom(), indent=2))
    case ["copyright"]:
        print(copyright(), end="")
    case _:
        sys.exit(__doc__)
