"""Opens the reports in headless Chromium at the width of a phone and of a desk: render_test.py NORMSCOPE.

No figure may be empty, nothing may be wider than the window, tables must sort, every figure must come as SVG, PNG, PDF and
CSV. Skipped where Chromium or gnuplot is absent.
"""
import html
import json
import re
import shutil
import subprocess
import unittest

from command_test_case import CommandTestCase, main

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
WIDTHS = (390, 1200)  # a phone, a desk

# Runs in the page once it is drawn; its answer ends in the DOM that Chromium prints.
PROBE = """
<script>
addEventListener("load", function () {
  var scrolls = function (element) {
    for (; element && element !== document.body; element = element.parentElement)
      if (/auto|scroll|hidden/.test(getComputedStyle(element).overflowX)) return true;
    return false;
  };
  var wide = Array.from(document.body.querySelectorAll("*")).filter(function (element) {
    return element.getBoundingClientRect().right > innerWidth + 1 && !scrolls(element.parentElement) && !scrolls(element);
  }).map(function (element) { return element.tagName + "." + element.className; });
  // Share of a figure's points that are darker or more coloured than paper and grid.
  var ink = function (picture) {
    var canvas = document.createElement("canvas");
    canvas.width = 220; canvas.height = 165;
    var context = canvas.getContext("2d");
    context.fillStyle = "#fff"; context.fillRect(0, 0, 220, 165);
    context.drawImage(picture, 0, 0, 220, 165);
    var points = context.getImageData(0, 0, 220, 165).data, drawn = 0;
    for (var i = 0; i < points.length; i += 4)
      drawn += Math.min(points[i], points[i + 1], points[i + 2]) < 200;  // the grid is at 226
    return drawn / (points.length / 4);
  };
  var figures = Array.from(document.querySelectorAll(".figures figure")).map(function (figure) {
    var links = Array.from(figure.querySelectorAll("a[download]"));
    var png = links.filter(function (link) { return link.textContent === "PNG"; })[0];
    png.click();
    return {title: figure.querySelector("figcaption").textContent, ink: ink(figure.querySelector("img")),
            shown: figure.querySelector("img").getBoundingClientRect().width,
            files: links.map(function (link) { return link.download; }),
            csv: links.filter(function (link) { return link.textContent === "CSV"; }).map(function (link) {
              return atob(link.href.split(",")[1]);
            }).join(""),
            kinds: links.map(function (link) { return link.href.slice(0, 24); })};
  });
  var sorted = Array.from(document.querySelectorAll("table.sortable")).map(function (table) {
    var column = Array.from(table.querySelectorAll("th")).findIndex(function (head) { return head.className === "n"; });
    if (column < 0) return [];
    table.querySelectorAll("th")[column].click();
    return Array.from(table.tBodies[0].rows).map(function (row) { return row.cells[column].textContent; });
  });
  parent.postMessage({inner: innerWidth, scroll: document.documentElement.scrollWidth, wide: wide, figures: figures,
                      sorted: sorted}, "*");
});
</script>
"""
# Chromium makes no window narrower than 500 points, but a frame of any width.
FRAME = """<!DOCTYPE html><pre id="probe"></pre><script>
addEventListener("message", function (event) {
  document.getElementById("probe").textContent = JSON.stringify(event.data);
});
</script><iframe src="%s" style="width: %dpx; height: 900px; border: 0"></iframe>"""
RECIPE = """
[measure]
gradients_every = 1
[grid]
"seed.all" = [28, 64]
"norm.layers" = ["none", "all"]
"""


def leading_number(text):
    number = re.match(r"[-+]?\d+(\.\d+)?(e[-+]\d+)?", text.replace("\u2212", "-").replace(",", ""))
    return float(number[0]) if number else None


@unittest.skipUnless(CHROMIUM, "Chromium is not installed")
@unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is not installed")
class RenderTest(CommandTestCase):
    def probe(self, page, width):
        probed = page.with_name(f"probed_{width}.html")
        probed.write_text(page.read_text().replace("</body>", PROBE + "</body>"))
        frame = page.with_name(f"frame_{width}.html")
        frame.write_text(FRAME % (probed.name, width))
        result = subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                                 f"--user-data-dir={self.folder / 'browser'}", "--window-size=1300,1000",
                                 "--virtual-time-budget=20000", "--dump-dom", frame.as_uri()],
                                capture_output=True, text=True, timeout=300)
        answer = re.search(r'<pre id="probe">(\{.*?)</pre>', result.stdout, re.S)
        self.assertTrue(answer, result.stderr[-2000:])
        return json.loads(html.unescape(answer[1]))

    def check(self, page, fewest_figures):
        for width in WIDTHS:
            with self.subTest(page=page.name, width=width):
                seen = self.probe(page, width)
                self.assertEqual(seen["inner"], width)
                self.assertLessEqual(seen["scroll"], width)
                self.assertEqual(seen["wide"], [])
                self.assertGreaterEqual(len(seen["figures"]), fewest_figures)
                for figure in seen["figures"]:
                    self.assertGreater(figure["ink"], 0.01, f"{figure['title']} is not drawn")
                    cells = [line.split(",")[1:] for line in figure["csv"].splitlines()[1:]]
                    self.assertTrue(any(cell for line in cells for cell in line), f"{figure['title']} is empty")
                    self.assertGreater(figure["shown"], 250, f"{figure['title']} is too small to read")
                    ends = [name.rsplit(".", 1)[1] for name in figure["files"]]
                    self.assertEqual(ends, ["svg", "png", "pdf", "csv"], figure["title"])
                    for kind, start in zip(figure["kinds"], ("image/svg+xml", "image/png", "application/pdf", "text/csv")):
                        self.assertTrue(kind.startswith("data:" + start[:18]), f"{figure['title']}: {kind}")
                columns = [column for column in seen["sorted"] if column]
                self.assertTrue(columns)
                for column in columns:
                    numbers = [leading_number(cell) for cell in column]
                    known = [number for number in numbers if number is not None]
                    self.assertEqual(known, sorted(known), column)
                    self.assertEqual(numbers[:len(known)], known, "what is missing stays last")

    def test_a_study(self):
        recipe = (self.folder / "recipe.toml").read_text()
        (self.folder / "recipe.toml").write_text(recipe + RECIPE)
        self.ok("normscope run recipe.toml --out out")
        self.ok("normscope report out --compare-paper")
        self.check(self.folder / "out/report.html", fewest_figures=8)

    def test_the_papers_logs(self):
        self.ok("normscope report --paper --html paper.html")
        self.check(self.folder / "paper.html", fewest_figures=60)

    def test_a_page_prints(self):
        self.ok("normscope report --paper --html paper.html")
        subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu",
                        f"--user-data-dir={self.folder / 'browser'}", f"--print-to-pdf={self.folder / 'paper.pdf'}",
                        (self.folder / "paper.html").as_uri()], capture_output=True, timeout=300)
        self.assertTrue((self.folder / "paper.pdf").read_bytes().startswith(b"%PDF"))


if __name__ == "__main__":
    main()
