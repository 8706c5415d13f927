"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const slider = document.getElementById("epsilon");
  const triangle = document.getElementById("triangle");
  const bodies = document.querySelectorAll("#regions tbody");
  // all of the probability on the first, second, third label
  const CORNERS = [[60, 500], [580, 500], [320, 500 - 260 * Math.sqrt(3)]];

  const horner = (coefficients, t) => coefficients.reduce((sum, c) => sum * t + c, 0);
  const quotient = ([above, below], t) => horner(above, t) / horner(below, t);
  const place = (prior) => [0, 1].map((k) => prior.reduce((sum, p, y) => sum + p * CORNERS[y][k], 0));
  const element = (name, attributes, text = "") => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.textContent = text;
    return made;
  };
  // the corners of a convex region in the order in which they follow each other
  const around = (points) => {
    const middle = [0, 1].map((k) => points.reduce((sum, point) => sum + point[k], 0) / points.length);
    const angle = (point) => Math.atan2(point[1] - middle[1], point[0] - middle[0]);
    return points.sort((a, b) => angle(a) - angle(b));
  };
  const polygon = (region, t) => {
    const points = around(region.corners.map((corner) => place(corner.map((entry) => quotient(entry, t)))));
    const made = element("polygon", {
      class: `look-${region.look % 9}`,
      points: points.map((point) => point.map((v) => v.toFixed(2)).join(",")).join(" "),
    });
    made.append(element("title", {}, region.name));
    return made;
  };

  function draw() {
    const epsilon = Number(slider.value);
    const t = Math.exp(epsilon);
    const number = data.intervals.findIndex((interval) => interval.upper === null || epsilon <= interval.upper);
    const regions = data.intervals[number].regions;
    const marks = CORNERS.map(([x, y], k) =>
      element("text", { x, y: y + (k === 2 ? -10 : 24), "text-anchor": "middle" }, `p${k + 1} = 1`));
    const [x, y] = place([1 / 3, 1 / 3, 1 / 3]);
    const cross = element("path", { class: "cross", d: `M${x - 6} ${y}h12M${x} ${y - 6}v12` });
    triangle.replaceChildren(...regions.map((region) => polygon(region, t)), ...marks, cross);
    bodies.forEach((body, k) => { body.hidden = k !== number; });
    regions.forEach((region, k) => {
      bodies[number].rows[k + 1].cells[4].textContent = (100 * quotient(region.share, t)).toFixed(2);
    });
    document.getElementById("level").textContent = `ε = ${epsilon.toFixed(2)}, t = ${t.toFixed(3)}`;
    document.getElementById("summary").textContent = `${regions.length} regions`;
    slider.setAttribute("aria-valuetext", `epsilon ${epsilon.toFixed(2)}`);
  }

  const breaks = data.intervals.map((interval) => interval.upper).filter((upper) => upper !== null);
  const go = (epsilon) => { slider.value = epsilon; draw(); };
  for (const button of [document.getElementById("previous"), document.getElementById("next")]) {
    button.hidden = breaks.length === 0;
  }
  // the slider stands on hundredths: the first one beyond the break point, the last one before it
  document.getElementById("next").addEventListener("click", () => {
    const beyond = breaks.find((end) => end >= Number(slider.value));
    if (beyond !== undefined) go(Math.floor(beyond * 100 + 1) / 100);
  });
  document.getElementById("previous").addEventListener("click", () => {
    const before = breaks.filter((end) => end < Number(slider.value)).pop();
    if (before !== undefined) go(Math.floor(before * 100) / 100);
  });
  slider.max = data.most;
  slider.addEventListener("input", draw);
  go(1);
})();
