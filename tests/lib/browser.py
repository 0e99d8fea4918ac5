# SPDX-License-Identifier: GPL-2.0-or-later
"""Shows HTML pages of iospan in a browser, and saves screenshots in $IOSPAN_SHOTS."""
import base64
import html
import json
import os
import re
import shutil
import subprocess
import urllib.request
from contextlib import contextmanager

from lib.ktap import *

__all__ = ["browser", "needs_browser", "looks_right", "needs_nothing_else",
           "shows_in_plots", "shows_names_as_text"]

# JavaScript that finds texts in plots. It returns the texts that overlap another text, or extend
# beyond the plot, by more than one pixel.
OVERLAPS = """
const found = [], wrong = (why, a, b) => found.push([why, a.text, b.text]);
for (const svg of document.querySelectorAll('svg')) {
  const edge = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll('text')].filter(t => t.textContent.trim()).map(t => {
    const r = t.getBoundingClientRect();
    return {text: t.textContent, l: r.left, r: r.right, t: r.top, b: r.bottom};
  });
  texts.forEach((a, i) => {
    if (a.l < edge.left - 1 || a.r > edge.right + 1 || a.t < edge.top - 1 || a.b > edge.bottom + 1)
      wrong('cut off', a, a);
    for (const b of texts.slice(i + 1))
      if (Math.min(a.r, b.r) - Math.max(a.l, b.l) > 1 &&
          Math.min(a.b, b.b) - Math.max(a.t, b.t) > 1)
        wrong('overlap', a, b);
  });
}
return found;
"""


class Browser:
    def __init__(self, port):
        self.base = f"http://127.0.0.1:{port}/session"
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu",
                            "--disable-dev-shm-usage", "--window-size=1100,1000",
                            f"--user-data-dir={scratch_dir()}/profile"]}
        made = self.ask("POST", "", {"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}})
        self.base += "/" + made["sessionId"]

    def ask(self, method, path, body=None):
        request = urllib.request.Request(
            self.base + path, method=method,
            data=None if body is None else json.dumps(body).encode())
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)["value"]

    def run(self, script, *args):
        return self.ask("POST", "/execute/sync", {"script": script, "args": args})

    def resize(self, width):
        self.ask("POST", "/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride", "params": {
            "width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": False}})

    def show(self, path):
        self.ask("POST", "/url", {"url": "file://" + path})
        height = self.run("return document.documentElement.scrollHeight")
        self.ask("POST", "/window/rect", {"width": 1100, "height": min(height + 150, 9000)})

    def console(self):
        return self.ask("POST", "/se/log", {"type": "browser"})

    def picture(self):
        return base64.b64decode(self.ask("GET", "/screenshot"))


def start_driver():
    """Starts chromedriver. Returns (process, port). chromedriver takes a free IPv4 port, and exits
    if the IPv6 port of the same number is in use. In this case, starts it again."""
    text = ""
    for _ in range(5):
        driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True)
        for line in driver.stdout:
            text += line
            port = re.search(r"successfully on port (\d+)", line)
            if port:
                return driver, int(port[1])
        driver.wait()
    return fail(f"chromedriver does not start: {text}")


@contextmanager
def browser():
    driver, port = start_driver()
    try:
        made = Browser(port)
        try:
            yield made
        finally:
            made.ask("DELETE", "")
    finally:
        driver.kill()
        driver.wait()


def needs_browser():
    needs(shutil.which("gnuplot"), "needs gnuplot")
    needs(shutil.which("chromedriver"), "needs chromedriver (chromium-driver)")


def keep_picture(on, name):
    folder = os.environ.get("IOSPAN_SHOTS")
    if folder:
        with open(os.path.join(folder, name + ".png"), "wb") as f:
            f.write(on.picture())


def looks_right(on, name, path, plots):
    on.show(path)
    expect_eq(on.console(), [], f"{name}: console")
    expect_eq(on.run(OVERLAPS), [], f"{name}: overlapping texts")
    expect_ge(on.run("return document.querySelectorAll('svg').length"), plots, f"{name}: plots")
    keep_picture(on, name)


def needs_nothing_else(path):
    """Checks that the page is complete in itself: it refers to no other file or server."""
    with open(path, encoding="utf-8") as f:
        page = f.read()
    links = set(re.findall(r"""(?:src|href)\s*=\s*['"]([^'"]{1,12})""", page))
    expect_eq([link for link in links if not link.startswith(("#", "data:"))], [])
    expect_eq(re.findall(r"@import|url\((?!#)", page), [])


def shows_in_plots(path, texts):
    """Checks, without a browser, that the plots of the page contain each of the texts."""
    with open(path, encoding="utf-8") as f:
        found = {html.unescape(text) for text in re.findall(r"<text>(.*?)</text>", f.read())}
    expect_eq(set(texts) - found, set(), f"texts that are missing in {sorted(found)}")


def shows_names_as_text(on, path, plots, title, victim):
    """Checks that a page shows hostile names as text. The names are scripts and shell code, which
    would create the file @victim."""
    looks_right(on, "hostile", path, plots)
    expect_eq(on.run("return document.title"), title, "title")
    expect_true("<script>document" in on.run("return document.body.innerText"), "the name is text")
    expect_eq(os.path.exists(victim), False, "the name was executed")
