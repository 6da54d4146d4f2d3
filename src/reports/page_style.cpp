// One column that reads well on a phone, on a desk and on paper; colours are those of the figures.
#include "reports/page_style.h"

namespace normscope {

const char* const kPageStyle = R"css(
:root { --ink: #1c1c1e; --soft: #5f6368; --line: #e0e0e3; --panel: #f6f6f8; --link: #0b5cad;
  --memorized: #882255; --recovered: #44aa99; --other: #ddcc77; }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; color: var(--ink); background: #fff; line-height: 1.55;
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif; }
main { max-width: 1160px; margin: 0 auto; padding: 28px 20px 64px; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 4px; letter-spacing: -0.01em; overflow-wrap: anywhere; }
h2 { font-size: 1.35rem; margin: 52px 0 10px; padding-top: 18px; border-top: 1px solid var(--line); }
h3 { font-size: 1.08rem; margin: 30px 0 6px; }
h4 { font-size: 1rem; margin: 22px 0 6px; }
p { margin: 8px 0; max-width: 46em; }
.sub, .note, small { color: var(--soft); }
.note { font-size: 0.87rem; max-width: 60em; }
small { font-size: 0.82em; white-space: nowrap; }
a { color: var(--link); }
nav { display: flex; flex-wrap: wrap; gap: 4px 18px; margin: 16px 0 0; font-size: 0.93rem; }
.lead { background: var(--panel); border-radius: 10px; padding: 14px 20px; margin: 22px 0; }
.lead p { margin: 8px 0; max-width: 54em; }
.lead h3 { margin: 14px 0 2px; }
.lead .asked { color: var(--soft); margin-top: 16px; }
.caution { border-left: 4px solid #e69f00; padding-left: 12px; }
figure { margin: 18px 0; }
figcaption { font-weight: 600; font-size: 0.97rem; margin-bottom: 6px; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 420px), 1fr)); gap: 14px 30px; }
.figures.small { grid-template-columns: repeat(auto-fit, minmax(min(100%, 310px), 1fr)); }
.figures figure { margin: 6px 0; break-inside: avoid; min-width: 0; }
.figures img { width: 100%; max-width: 600px; height: auto; display: block; }
.figures.small img { max-width: 440px; }
.downloads { margin: 2px 0 0; font-size: 0.8rem; } .downloads a { margin-right: 0.6em; }
.figures.wide { grid-template-columns: 1fr; }
.figures.wide img { min-width: 720px; max-width: 1000px; }
.scroll { overflow-x: auto; }
td.long { min-width: 19em; }
table { border-collapse: collapse; font-size: 0.9rem; width: 100%; font-variant-numeric: tabular-nums; }
th { text-align: left; vertical-align: bottom; font-weight: 600; border-bottom: 2px solid #c9c9ce; padding: 6px 12px 6px 0; line-height: 1.3; }
th small { display: block; font-weight: 400; }
td { border-bottom: 1px solid var(--line); padding: 6px 12px 6px 0; vertical-align: top; }
.n { text-align: right; white-space: nowrap; }
th.n { white-space: normal; }
td.key-cell { white-space: nowrap; }
.sortable td:first-child { min-width: 8.5em; }
.sortable th { cursor: pointer; }
.sortable th[aria-sort=ascending]::after { content: " \2191"; }
.sortable th[aria-sort=descending]::after { content: " \2193"; }
.dot { display: inline-block; width: 0.7em; height: 0.7em; border-radius: 50%; margin-right: 0.5em; }
.bar { display: flex; width: 120px; height: 14px; margin-top: 4px; border-radius: 3px; overflow: hidden; }
.memorized, .strip .m { background: var(--memorized); fill: var(--memorized); }
.recovered, .strip .r { background: var(--recovered); fill: var(--recovered); }
.other, .strip .o { background: var(--other); fill: var(--other); }
.strip rect { fill: #eee; }
.strip .m { fill: var(--memorized); } .strip .r { fill: var(--recovered); } .strip .o { fill: var(--other); }
.strip { display: block; width: 100%; min-width: 84px; max-width: 200px; height: 13px; border-radius: 3px; margin: 4px 0 1px; }
.key { display: inline-block; width: 0.8em; height: 0.8em; border-radius: 2px; }
.legend span.key { margin: 0 0.35em 0 0.9em; }
.excerpt { min-width: 220px; max-width: 420px; overflow-wrap: anywhere; }
img.noisy { display: block; width: 64px; image-rendering: pixelated; border-radius: 3px; }
td.excerpt { font-size: 0.87rem; line-height: 1.4; }
table.noisy td:first-child { color: var(--soft); padding-right: 14px; }
.chip { display: inline-block; border-radius: 99px; padding: 1px 10px; font-size: 0.85rem; white-space: nowrap;
  border: 1px solid #b9b9bf; background: #f1f1f3; }
.chip.supported { background: #d9f0eb; border-color: #44aa99; }
.chip.contradicted { background: #f7dde8; border-color: #882255; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 18px; margin: 12px 0; font-size: 0.95rem; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
pre { background: var(--panel); border-radius: 8px; padding: 12px 14px; overflow-x: auto; font-size: 0.82rem; line-height: 1.45; }
code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
details { margin: 10px 0; } summary { cursor: pointer; color: var(--link); }
ul { padding-left: 1.2em; margin: 8px 0; } li { margin: 3px 0; max-width: 50em; }
footer { margin-top: 56px; font-size: 0.85rem; color: var(--soft); }
@media (max-width: 700px) {
  main { padding: 18px 16px 48px; } h1 { font-size: 1.55rem; } h2 { margin-top: 40px; }
  dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: 8px; }
  .sortable td:first-child { position: sticky; left: 0; background: #fff; max-width: 9.5em; white-space: normal; }
  .sortable td:first-child small { white-space: normal; }
  .lead { margin-left: -16px; margin-right: -16px; border-radius: 0; padding: 12px 16px; }
  table.noisy thead { display: none; } table.noisy tr { display: grid; grid-template-columns: 1fr 1fr;
    gap: 2px 16px; padding: 10px 0; border-bottom: 1px solid var(--line); }
  table.noisy td { border: 0; padding: 0; } table.noisy td:first-child { display: none; }
  td.excerpt { grid-column: 1 / -1; max-width: none; min-width: 0; }
  table.noisy td[data-of]::before { content: attr(data-of) ": "; color: var(--soft); font-size: 0.82em; }
  td.history .strip { max-width: none; }
}
@media print {
  body { font-size: 10pt; } main { max-width: none; padding: 0; } nav, summary, .downloads { display: none; }
  h2 { break-after: avoid; } h3, h4, figcaption, .legend, h4 + p { break-after: avoid; } tr { break-inside: avoid; }
  .scroll { overflow: visible; } table { font-size: 7.5pt; } td, th { padding-right: 6px; }
  .figures { grid-template-columns: 1fr 1fr; } .strip { min-width: 50px; } .excerpt { min-width: 0; }
  details::details-content { content-visibility: visible; display: block; }
  pre { white-space: pre-wrap; } * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
)css";

const char* const kPageScript = R"js(
document.querySelectorAll("table.sortable").forEach(function (table) {
  table.querySelectorAll("th").forEach(function (head, column) {
    head.addEventListener("click", function () {
      var down = head.getAttribute("aria-sort") === "ascending";
      table.querySelectorAll("th").forEach(function (other) { other.removeAttribute("aria-sort"); });
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      var value = function (row) {
        var text = row.cells[column].textContent.replace(/\u2212/g, "-").replace(/,/g, "");
        var number = parseFloat(text);
        return isNaN(number) ? text : number;
      };
      Array.from(table.tBodies[0].rows).sort(function (a, b) {
        var x = value(a), y = value(b);
        var isNumber = [x, y].map(function (v) { return typeof v === "number"; });
        if (isNumber[0] !== isNumber[1]) return isNumber[0] ? -1 : 1;  // what is missing stays last
        var order = isNumber[0] ? x - y : x.localeCompare(y);
        return down ? -order : order;
      }).forEach(function (row) { table.tBodies[0].appendChild(row); });
    });
  });
});
document.querySelectorAll(".downloads").forEach(function (links) {
  var picture = links.parentNode.querySelector("img"), name = links.dataset.name;
  var add = function (word, end) {
    var link = document.createElement("a");
    link.textContent = word;
    link.download = name + end;
    link.href = picture.src;
    links.insertBefore(link, links.firstChild);
    links.insertBefore(document.createTextNode(" "), link);
    return link;
  };
  add("PNG", ".png").addEventListener("click", function (event) {
    if (this.href.indexOf("data:image/png") === 0) return;
    event.preventDefault();
    var canvas = document.createElement("canvas"), scale = 3;
    canvas.width = scale * picture.getAttribute("width");
    canvas.height = scale * picture.getAttribute("height");
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    this.href = canvas.toDataURL("image/png");
    this.click();
  });
  add("SVG", ".svg");
});
)js";

}  // namespace normscope
