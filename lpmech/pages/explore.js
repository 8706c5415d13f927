"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const SVG = "http://www.w3.org/2000/svg";
  const DASHES = ["", "7 3", "2 3", "9 3 2 3"];
  const look = (i) => ({ class: `curve look-${i % 9}`, "stroke-dasharray": DASHES[i % 4] });
  const WIDTH = 720, HEIGHT = 300, LEFT = 52, RIGHT = 12, TOP = 22, BOTTOM = 40;
  const slider = document.getElementById("epsilon");
  const chosen = document.getElementById("utility");
  const chart = document.getElementById("chart");
  const hidden = new Set();

  const element = (name, attributes = {}, text = "") => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.textContent = text;
    return made;
  };
  const cell = (name, text, attributes = {}) => {
    const made = document.createElement(name);
    made.textContent = text;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const horner = (coefficients, t) => coefficients.reduce((sum, c) => sum * t + c, 0);
  // both polynomials in 1/t as well, so that a large t does no harm
  const quotient = ([above, below], t) => {
    if (t <= 1) return horner(above, t) / horner(below, t);
    const degree = Math.max(above.length, below.length) - 1;
    const scaled = (part) => [...part].reverse().reduce((sum, c) => sum / t + c, 0);
    const reversed = (part) => horner([...part].reverse(), 1 / t) * Math.pow(t, part.length - 1 - degree);
    return reversed(above) / reversed(below);
  };
  const within = (items, epsilon, end) => items.find((item) => end(item) === null || epsilon <= end(item));
  const percent = (optimum, value) => {
    const lost = optimum - value;
    if (Math.abs(lost) < 1e-9 * Math.max(1, Math.abs(optimum))) return 0;
    return 100 * lost / Math.abs(optimum);
  };
  const shown = (number, digits = 4) => Number.isFinite(number) ? number.toFixed(digits).replace(/^-(0\.?0*)$/, "$1") : "∞";

  const utility = () => data.utilities[chosen.selectedIndex];
  const step = () => Number(slider.value);
  const optimumAt = (epsilon) =>
    quotient(within(utility().pieces, epsilon, (p) => p.upper.epsilon).value.quotient, Math.exp(epsilon));

  function drawChannel(epsilon) {
    const regime = within(utility().regimes, epsilon, (r) => r.upper);
    const values = regime.entries.map((entry) => Math.min(1, Math.max(0, quotient(entry, Math.exp(epsilon)))));
    const head = document.createElement("tr");
    const released = data.labels.map((_, j) => j).filter((j) => regime.places.some((row) => values[row[j]] > 0));
    head.append(cell("td", "true \\ released"), ...released.map((j) => cell("th", data.labels[j], { scope: "col" })));
    const rows = regime.places.map((row, y) => {
      const line = document.createElement("tr");
      line.append(cell("th", data.labels[y], { scope: "row" }));
      for (const j of released) {
        const value = values[row[j]];
        const made = cell("td", value === 0 ? "" : shown(value, 3));
        made.style.setProperty("--share", `${Math.round(100 * value)}%`);
        if (value === 0) made.setAttribute("aria-label", "0");
        line.append(made);
      }
      return line;
    });
    document.querySelector("#channel thead").replaceChildren(head);
    document.querySelector("#channel tbody").replaceChildren(...rows);
    return released.map((j) => data.labels[j]);
  }

  function drawMechanisms(optimum) {
    const rows = utility().curves.map((curve) => ({ ...curve, value: curve.utility[step()], chosen: curve.parameters[step()] }));
    rows.sort((a, b) => (b.value ?? -Infinity) - (a.value ?? -Infinity));
    const lines = [{ mechanism: "optimal", words: "the linear program's optimum", chosen: "", value: optimum }, ...rows].map((row) => {
      const line = document.createElement("tr");
      const name = cell("th", row.mechanism, { scope: "row", title: row.words });
      const known = row.value !== null;
      line.append(name, cell("td", row.chosen), cell("td", known ? shown(row.value) : "–", { class: "number" }),
                  cell("td", known ? shown(percent(optimum, row.value), 2) : "–", { class: "number" }));
      return line;
    });
    document.querySelector("#mechanisms tbody").replaceChildren(...lines);
  }

  function drawChart() {
    const { curves, pieces } = utility();
    const optima = data.grid.map(optimumAt);
    const losses = curves.map((curve) => curve.utility.map((value, i) => value === null ? null : percent(optima[i], value)));
    const visible = losses.filter((_, i) => !hidden.has(curves[i].mechanism)).flat().filter(Number.isFinite);
    const most = Math.min(100, Math.max(1, ...visible));
    const tick = [0.25, 0.5, 1, 2, 2.5, 5, 10, 20, 25].find((each) => 4 * each >= most);
    const top = 4 * tick;
    const last = data.grid.at(-1);
    const x = (epsilon) => LEFT + (WIDTH - LEFT - RIGHT) * epsilon / last;
    const y = (loss) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - Math.min(loss, top) / top);
    const parts = [element("title", {}, `Loss of every published mechanism in percent of the optimum, utility ${utility().name}`)];
    for (let level = 0; level <= top; level += tick) {
      parts.push(element("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(level), y2: y(level), class: "grid" }),
                 element("text", { x: LEFT - 6, y: y(level) + 4, "text-anchor": "end" }, String(level)));
    }
    for (let e = 0; e <= last; e++) parts.push(element("text", { x: x(e), y: HEIGHT - BOTTOM + 18, "text-anchor": "middle" }, String(e)));
    parts.push(element("text", { x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 4, "text-anchor": "middle" }, "epsilon"),
               element("text", { x: 4, y: 13 }, "loss, percent of the optimum"));
    for (const piece of pieces.slice(0, -1)) {
      if (piece.upper.epsilon > last) continue;
      parts.push(element("line", { x1: x(piece.upper.epsilon), x2: x(piece.upper.epsilon), y1: HEIGHT - BOTTOM, y2: HEIGHT - BOTTOM - 9, class: "break" }));
    }
    losses.forEach((values, i) => {
      if (hidden.has(curves[i].mechanism)) return;
      const points = values.flatMap((value, k) => value === null ? [] : [`${x(data.grid[k]).toFixed(1)},${y(value).toFixed(1)}`]).join(" ");
      parts.push(element("polyline", { points, ...look(i) }));
    });
    parts.push(element("line", { x1: x(data.grid[step()]), x2: x(data.grid[step()]), y1: TOP, y2: HEIGHT - BOTTOM, class: "cursor" }));
    chart.replaceChildren(...parts);
  }

  function drawLegend() {
    const items = utility().curves.map((curve, i) => {
      const label = document.createElement("label");
      const box = document.createElement("input");
      box.type = "checkbox";
      box.checked = !hidden.has(curve.mechanism);
      box.addEventListener("change", () => {
        if (box.checked) hidden.delete(curve.mechanism); else hidden.add(curve.mechanism);
        drawChart();
      });
      const key = element("svg", { width: 34, height: 10, "aria-hidden": "true" });
      key.append(element("line", { x1: 1, x2: 33, y1: 5, y2: 5, ...look(i) }));
      label.title = curve.words;
      label.append(box, key, document.createTextNode(curve.mechanism));
      return label;
    });
    document.getElementById("legend").replaceChildren(...items);
  }

  function drawPieces(epsilon) {
    const now = within(utility().pieces, epsilon, (p) => p.upper.epsilon);
    const lines = utility().pieces.map((piece) => {
      const line = document.createElement("tr");
      const ends = [piece.lower, piece.upper].map((end) => {
        const made = cell("td", "");
        made.innerHTML = end.mathml;
        return made;
      });
      const value = cell("td", "");
      value.innerHTML = piece.value.mathml;
      line.append(...ends, cell("td", shown(piece.lower.epsilon), { class: "number" }), value);
      if (piece === now) line.setAttribute("aria-current", "true");
      return line;
    });
    document.querySelector("#pieces tbody").replaceChildren(...lines);
  }

  function draw() {
    const epsilon = data.grid[step()];
    const optimum = optimumAt(epsilon);
    document.getElementById("level").value = `ε = ${epsilon.toFixed(2)}, t = ${shown(Math.exp(epsilon))}`;
    slider.setAttribute("aria-valuetext", `epsilon ${epsilon.toFixed(2)}`);
    document.getElementById("words").textContent = utility().words;
    const released = drawChannel(epsilon);
    const all = released.length === data.labels.length;
    document.getElementById("summary").textContent =
      `optimum ${shown(optimum)}; ${released.length} of ${data.labels.length} labels are released` +
      (all ? "" : `: ${released.join(", ")}`);
    drawMechanisms(optimum);
    drawPieces(epsilon);
    drawChart();
    history.replaceState(null, "", `#utility=${encodeURIComponent(utility().name)}&epsilon=${epsilon.toFixed(2)}`);
  }

  function fromAddress() {
    const asked = new URLSearchParams(location.hash.slice(1));
    const place = data.utilities.findIndex((each) => each.name === asked.get("utility"));
    if (place >= 0) chosen.selectedIndex = place;
    const level = Number(asked.get("epsilon"));
    if (level > 0) slider.value = data.grid.reduce((best, e, i) => Math.abs(e - level) < Math.abs(data.grid[best] - level) ? i : best, 0);
    drawLegend();
    draw();
  }

  slider.max = data.grid.length - 1;
  slider.value = data.grid.indexOf(1);
  slider.addEventListener("input", draw);
  chosen.addEventListener("change", () => { drawLegend(); draw(); });
  document.getElementById("next").addEventListener("click", () => jump(1));
  document.getElementById("previous").addEventListener("click", () => jump(-1));
  addEventListener("hashchange", fromAddress);

  // to the first grid point beyond the next break point, or the last one before the previous one
  function jump(direction) {
    const ends = utility().pieces.slice(0, -1).map((piece) => piece.upper.epsilon).filter((e) => e < data.grid.at(-1));
    const now = data.grid[step()];
    const piece = (epsilon) => ends.filter((end) => end < epsilon).length;
    let place = step();
    while (place + direction >= 0 && place + direction < data.grid.length && piece(data.grid[place]) === piece(now)) place += direction;
    slider.value = place;
    draw();
  }
  fromAddress();
})();
