"""Writes a page that links to all replay pages of some folders, with their titles and pictures.

    python3 bench/page/gallery.py [FOLDER ...]      default: build; the result is build/gallery/index.html

A page's picture is the SVG of the same name beside it, if there is one. Pages that play no recording are left out.
"""
import html
import os
import pathlib
import sys

sys.dont_write_bytecode = True  # leave no folder behind
import recording  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
OUT = ROOT / "build" / "gallery"
STYLE = """
:root { color-scheme: light dark; --paper: #f6f5f2; --panel: #fffefb; --ink: #1e2329; --muted: #6a7077;
    --line: #dedbd4; --accent: #2d6cae; }
@media (prefers-color-scheme: dark) {
    :root { --paper: #15171a; --panel: #1c1f23; --ink: #e6e4df; --muted: #8d949c; --line: #30353b; --accent: #6fabe6; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1100px; padding: 28px 16px; background: var(--paper); color: var(--ink);
    font: 15px/1.45 system-ui, -apple-system, "Segoe UI", sans-serif; }
h1 { font-size: 20px; margin: 0 0 18px; }
ul { list-style: none; margin: 0; padding: 0; display: grid; gap: 16px;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 300px), 1fr)); }
a { display: block; height: 100%; color: inherit; text-decoration: none; background: var(--panel); border: 1px solid var(--line);
    border-radius: 10px; overflow: hidden; }
a:hover, a:focus-visible { border-color: var(--accent); outline: none; }
img, .none { display: block; width: 100%; height: 180px; object-fit: contain; padding: 10px; }
.none { display: grid; place-content: center; color: var(--line); font-size: 44px; }
b { display: block; padding: 0 14px; font-weight: 600; }
small { display: block; padding: 2px 14px 12px; color: var(--muted); }
"""
PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>dvc.h: recordings</title>
<style>{style}</style>
<h1>dvc.h: recordings</h1>
<ul>
{cards}
</ul>
</html>
"""


def frames_and_title(data):
    """How many frames a recording has, and its title; a cut one counts as far as it goes."""
    frames, title = 0, ""
    try:
        for tag, payload in recording.chunks_of(data):
            frames += tag == b"FRAM"
            if tag == b"NAME":
                title = recording.Bytes(payload).text()
    except (AssertionError, ValueError, recording.struct.error):
        pass
    return frames, title


def card(page):
    """The link to a page, or None if it plays nothing."""
    text = page.read_text(encoding="utf-8", errors="replace")
    try:
        runs = recording.recordings_of(text)
    except ValueError:
        return None
    told = [frames_and_title(data) for _, data in runs]
    title = next((t for _, t in told if t), page.stem)
    about = f"{max((n for n, _ in told), default=0)} frames" + (f", {len(runs)} runs compared" if len(runs) > 1 else "")
    still = page.with_suffix(".svg")
    link, source = (html.escape(os.path.relpath(path, OUT).replace(os.sep, "/")) for path in (page, still))
    none = '<span class="none" aria-hidden="true">▶</span>'
    picture = f'<img src="{source}" alt="" loading="lazy">' if still.exists() else none
    return f'<li><a href="{link}">{picture}<b>{html.escape(title)}</b><small>{html.escape(about)}</small></a></li>'


def main():
    folders = [pathlib.Path(name) for name in sys.argv[1:]] or [ROOT / "build"]
    cards = [card(page) for folder in folders for page in sorted(folder.glob("*.html"))]
    cards = [c for c in cards if c]
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / "index.html").write_text(PAGE.format(style=STYLE, cards="\n".join(cards)), encoding="utf-8")
    print(f"{len(cards)} pages in {os.path.relpath(OUT / 'index.html')}")


if __name__ == "__main__":
    main()
