// SPDX-License-Identifier: GPL-2.0-or-later
// Sorts tables, shows the values of a plot below the pointer, and magnifies a part of the time in
// all plots that have a time axis. A page without this script has the same contents.
'use strict';
(() => {
// ---- tables ----

// Numbers are sorted by the exact value in data-v. In ascending order, they come before texts.
function key(cell) {
  const text = cell.dataset.v ?? cell.textContent;
  return text === '' || text === '-' ? -Infinity : isNaN(text) ? text : Number(text);
}

function compare(a, b) {
  if (typeof a !== typeof b)
    return typeof a === 'number' ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

function sortBy(table, title) {
  const down = title.ariaSort !== 'descending', column = title.cellIndex;
  for (const other of title.parentNode.cells)
    other.removeAttribute('aria-sort');
  title.ariaSort = down ? 'descending' : 'ascending';
  [...table.tBodies[0].rows]
    .sort((a, b) => compare(key(a.cells[column]), key(b.cells[column])) * (down ? -1 : 1))
    .forEach(row => table.tBodies[0].append(row));
}

for (const table of document.querySelectorAll('table')) {
  for (const title of table.tHead?.rows[0].cells ?? []) {
    const button = document.createElement('button');
    button.append(...title.childNodes);
    button.addEventListener('click', () => sortBy(table, title));
    title.append(button);
  }
}

// ---- plots ----

function make(parent, tag, attributes) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const name in attributes)
    made.setAttribute(name, attributes[name]);
  parent.append(made);
  return made;
}

// An axis of a plot: @start and @end are the positions of its ends in the drawing, @low and @high
// the values there.
function axis(numbers) {
  const [start, end, low, high, isLog] = numbers;
  return {start, end, low, high, isLog};
}

function valueAt(a, position) {
  const part = (position - a.start) / (a.end - a.start);
  return a.isLog ? a.low * Math.pow(a.high / a.low, part) : a.low + (a.high - a.low) * part;
}

function format(value, binary) {
  const step = binary ? 1024 : 1000, units = binary ? ['', 'Ki', 'Mi', 'Gi', 'Ti'] :
    ['', 'k', 'M', 'G', 'T'];
  let i = 0;
  for (; Math.abs(value) >= step && i < 4; i++)
    value /= step;
  return Number(value.toPrecision(4)) + (units[i] && ' ' + units[i]);
}

// A line of a plot: the <path> and its points [x, y, drawn]. @drawn is true if a line leads to the
// point. gnuplot draws the line's sample in the legend with the same path. So the points right of
// the plot belong to the legend.
function readLine(path) {
  const points = [];
  for (const [, command, x, y] of path.getAttribute('d').matchAll(/([ML])\s*([-\d.e]+),([-\d.e]+)/g))
    points.push([Number(x), Number(y), command === 'L']);
  return {path, points, name: path.closest('[id^=gnuplot_plot]').querySelector('text')?.textContent};
}

function readPlot(svg) {
  const numbers = svg.dataset.axes.split(' ').map(Number), x = axis(numbers.slice(0, 5));
  return {svg, x, y: axis(numbers.slice(5)), all: [x.start, x.end], shown: [x.start, x.end],
          unit: svg.dataset.time, binary: 'binary' in svg.dataset,
          lines: [...svg.querySelectorAll('[id^=gnuplot_plot] path')].map(readLine),
          images: [...svg.querySelectorAll('image')].map(image => ({image,
            at: ['x', 'width'].map(name => Number(image.getAttribute(name)))})),
          tics: [...svg.querySelectorAll('#gnuplot_canvas > g > path[d], text')].filter(e => isTimeTic(e, x, numbers[5])),
          cursor: make(svg, 'line', {class: 'cursor', y1: numbers[5], y2: numbers[6],
                                     visibility: 'hidden'}),
          made: make(svg, 'g', {})};
}

// Returns true if @e belongs to the time axis: a vertical line that starts at the axis, or a number
// below the axis.
function isTimeTic(e, x, bottom) {
  if (e.tagName === 'path') {
    const [[, x0, y0], [, x1]] = e.getAttribute('d').matchAll(/([-\d.]+),([-\d.]+)/g);
    return x0 === x1 && Math.abs(y0 - bottom) < 0.1;
  }
  const at = /translate\(([-\d.]+),([-\d.]+)\)/.exec(e.parentNode.getAttribute('transform'));
  return at && at[1] > x.start - 1 && at[1] < x.end + 1 && at[2] > bottom && at[2] < bottom + 25 &&
    !isNaN(e.textContent);
}

// The user may magnify a range of the time axis. moved() converts a position in the whole drawing
// to the position where it is shown now; original() converts it back.
const moved = (p, x) => p.all[0] + (x - p.shown[0]) * (p.all[1] - p.all[0]) / (p.shown[1] - p.shown[0]);
const original = (p, x) => p.shown[0] + (x - p.all[0]) * (p.shown[1] - p.shown[0]) / (p.all[1] - p.all[0]);

// Returns the height of a line at position @x, or NaN if the line has a gap there.
function heightAt(line, x) {
  for (let i = 1; i < line.points.length; i++) {
    const [x0, y0] = line.points[i - 1], [x1, y1, drawn] = line.points[i];
    if (drawn && x0 <= x && x <= x1)
      return x1 > x0 ? y0 + (y1 - y0) * (x - x0) / (x1 - x0) : y1;
  }
  return NaN;
}

function drawLine(p, line) {
  const [left, right] = p.all;
  let d = '';
  line.points.forEach(([x, y, drawn], i) => {
    if (!drawn)
      return;
    const [x0, y0] = line.points[i - 1];
    if (x0 > right) { // a line in the legend
      d += `M${x0},${y0} L${x},${y} `;
      return;
    }
    const from = moved(p, x0), to = moved(p, x), rise = to > from ? (y - y0) / (to - from) : 0;
    const a = Math.max(from, left), b = Math.min(to, right);
    if (a <= b)
      d += `M${a},${y0 + (a - from) * rise} L${b},${to > from ? y0 + (b - from) * rise : y} `;
  });
  line.path.setAttribute('d', d);
}

function drawTics(p) {
  const magnified = p.shown[0] !== p.all[0] || p.shown[1] !== p.all[1];
  p.made.replaceChildren();
  for (const tic of p.tics)
    tic.style.display = magnified ? 'none' : '';
  if (!magnified)
    return;
  const low = valueAt(p.x, p.shown[0]), high = valueAt(p.x, p.shown[1]);
  const power = Math.pow(10, Math.floor(Math.log10((high - low) / 5)));
  const step = power * [1, 2, 5, 10].find(f => (high - low) / (power * f) <= 6);
  for (let n = Math.ceil(low / step); n * step <= high; n++) {
    const part = (n * step - p.x.low) / (p.x.high - p.x.low);
    const x = moved(p, p.x.start + part * (p.x.end - p.x.start));
    make(p.made, 'path', {d: `M${x},${p.y.start} L${x},${p.y.end}`, stroke: '#ddd',
                          'stroke-dasharray': '2,4'});
    make(p.made, 'text', {x, y: p.y.start + 22, 'text-anchor': 'middle', 'font-size': 12})
      .textContent = Number((n * step).toPrecision(10));
  }
}

function draw(p) {
  p.lines.forEach(line => drawLine(p, line));
  for (const {image, at: [x, width]} of p.images) {
    const from = moved(p, x), to = moved(p, x + width);
    image.setAttribute('x', from);
    image.setAttribute('width', to - from);
    image.setAttribute('preserveAspectRatio', 'none');
    image.style.clipPath = `inset(0 ${Math.max(0, to - p.all[1])}px 0 ${Math.max(0, p.all[0] - from)}px)`;
  }
  drawTics(p);
}

const plots = [...document.querySelectorAll('svg[data-axes]')].map(readPlot);
const timed = plots.filter(p => p.unit);
const values = document.createElement('div');
values.id = 'values';
document.body.append(values);

// atPart() converts a fraction (0 to 1) of the x axis to a position; partAt() converts it back.
const atPart = (p, part) => p.x.start + part * (p.x.end - p.x.start);
const partAt = (p, x) => Math.min(Math.max((x - p.x.start) / (p.x.end - p.x.start), 0), 1);

// Shows the range @from to @to in all plots with a time axis. Both are fractions of the axis. The
// time axes of a page have the same range, so the fractions fit all of them.
function magnify(from, to) {
  for (const p of timed) {
    p.shown = [atPart(p, from), atPart(p, to)];
    draw(p);
  }
}

function placeOf(p, event) {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(p.svg.getScreenCTM().inverse());
  return {x: at.x, y: at.y, inside: at.x >= p.x.start && at.x <= p.x.end &&
                                    at.y <= p.y.start && at.y >= p.y.end};
}

function showValues(p, at, event) {
  const x = original(p, at.x);
  let text = p.unit ? Number(valueAt(p.x, x).toPrecision(5)) + ' ' + p.unit : format(valueAt(p.x, x));
  for (const line of p.lines) {
    const y = heightAt(line, x);
    if (!isNaN(y))
      text += `\n${line.name || ''} ${format(valueAt(p.y, y), p.binary)}`;
  }
  for (const other of timed)
    for (const name of ['x1', 'x2'])
      other.cursor.setAttribute(name, atPart(other, partAt(p, at.x)));
  timed.forEach(other => other.cursor.setAttribute('visibility', p.unit ? 'visible' : 'hidden'));
  values.textContent = text;
  values.style.display = 'block';
  values.style.left = Math.min(event.clientX + 15, innerWidth - values.offsetWidth - 5) + 'px';
  values.style.top = Math.min(event.clientY + 15, innerHeight - values.offsetHeight - 5) + 'px';
}

function hideValues() {
  values.style.display = 'none';
  timed.forEach(p => p.cursor.setAttribute('visibility', 'hidden'));
}

for (const p of plots) {
  let start = null, chosen = null;
  p.svg.addEventListener('pointermove', event => {
    const at = placeOf(p, event), x = atPart(p, partAt(p, at.x));
    if (at.inside)
      showValues(p, at, event);
    else
      hideValues();
    if (chosen) {
      chosen.setAttribute('x', Math.min(start, x));
      chosen.setAttribute('width', Math.abs(x - start));
    }
  });
  p.svg.addEventListener('pointerleave', hideValues);
  if (!p.unit)
    continue;
  p.svg.addEventListener('pointerdown', event => {
    const at = placeOf(p, event);
    if (!at.inside || event.button)
      return;
    start = at.x;
    chosen = make(p.svg, 'rect', {class: 'chosen', x: start, y: p.y.end, width: 0,
                                  height: p.y.start - p.y.end});
    p.svg.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  p.svg.addEventListener('pointerup', event => {
    if (!chosen)
      return;
    const ends = [start, placeOf(p, event).x].sort((a, b) => a - b).map(x => atPart(p, partAt(p, x)));
    chosen.remove();
    chosen = null;
    if (ends[1] - ends[0] > 3)
      magnify(...ends.map(x => partAt(p, original(p, x))));
  });
  p.svg.addEventListener('dblclick', () => magnify(0, 1));
}
addEventListener('keydown', event => event.key === 'Escape' && magnify(0, 1));
if (timed.length) {
  const hint = document.createElement('p');
  hint.className = 'note';
  hint.textContent = 'Drag across a plot to magnify this time in all plots. Escape shows all of it.';
  timed[0].svg.parentNode.before(hint);
}
})();
