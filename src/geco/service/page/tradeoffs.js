// Trade-offs: a picture of points to choose from, and the same points as a list, for keys, fingers and screen readers.

import { h, round, svg, told } from "./dom.js";

/** @import { Way, Texts, Feature } from "./types" */

const LEFT = 34;
const RIGHT = 330;
const TOP = 16;
const BOTTOM = 124;
const RADIUS = 8; // of a number

/**
 * @param {Way[] | null} points  null while they are looked for @param {Map<string, Feature>} features @param {Texts} texts @param {string} language
 * @param {(way: Way) => void} onTry
 */
export function tradeoffsPart(points, features, texts, language, onTry) {
  if (!points) return h("p", { class: "soft" }, texts.tradeoffs_looking);
  if (points.length < 2) return h("p", { class: "soft" }, texts.tradeoffs_none);
  const near = [...points].sort((a, b) => a.distance - b.distance);
  return h(
    "div",
    {},
    h("p", { class: "soft small" }, texts.tradeoffs_note),
    picture(near, texts, language, onTry),
    h(
      "ol",
      { class: "points" },
      ...near.map((each, place) =>
        h(
          "li",
          {},
          h(
            "button",
            { type: "button", "data-key": `point:${place}`, onclick: () => onTry(each) },
            changes(each, features, language),
          ),
          h("small", { class: "soft" }, figures(each, texts, language)),
        ),
      ),
    ),
  );
}

/** @param {Way} way @param {Map<string, Feature>} features @param {string} language */
function changes(way, features, language) {
  return way.changes
    .map((one) => {
      const feature = features.get(one.feature);
      return `${feature?.label ?? one.feature} ${told(feature, one.after, language)}`;
    })
    .join(", ");
}

/** @param {Way} way @param {Texts} texts @param {string} language */
function figures(way, texts, language) {
  return `${texts.distance} ${round(way.distance, language)}, ${texts.outcome} ${round(way.outcome, language)}`;
}

/** Where numbers stand: on their points, or off those before, towards where a front has no points. @param {{ x: number, y: number }[]} points */
function apart(points) {
  /** @type {{ x: number, y: number }[]} */ const placed = [];
  for (let { x, y } of points) {
    while (placed.some((other) => Math.hypot(other.x - x, other.y - y) < 2 * RADIUS + 1))
      if (x < RIGHT) x += 3;
      else y += 3;
    placed.push({ x, y });
  }
  return placed;
}

/** Near to the left, a safe yes to the top. @param {Way[]} points @param {Texts} texts @param {string} language @param {(way: Way) => void} onTry */
function picture(points, texts, language, onTry) {
  const far = Math.max(...points.map((each) => each.distance)) || 1;
  const outcomes = points.map((each) => each.outcome),
    low = Math.min(...outcomes),
    high = Math.max(...outcomes);
  const x = (/** @type {Way} */ each) => LEFT + 14 + ((RIGHT - LEFT - 24) * each.distance) / far;
  const y = (/** @type {Way} */ each) => BOTTOM - 14 - ((BOTTOM - TOP - 24) * (each.outcome - low)) / (high - low || 1);
  const numbers = apart(points.map((each) => ({ x: x(each), y: y(each) })));
  const dots = points.map((each, place) => {
    const at = numbers[place];
    const dot = svg(
      "g",
      { class: "dot" },
      svg("line", { x1: x(each), y1: y(each), x2: at.x, y2: at.y }),
      svg("circle", { cx: x(each), cy: y(each), r: 2.5 }),
      svg("circle", { cx: at.x, cy: at.y, r: RADIUS }),
      svg("text", { x: at.x, y: at.y + 3 }, String(place + 1)),
      svg("title", {}, figures(each, texts, language)),
    );
    dot.addEventListener("click", () => onTry(each));
    return dot;
  });
  return svg(
    "svg",
    { class: "tradeoffs", viewBox: "0 0 340 142", "aria-hidden": "true" },
    svg("path", { class: "axis", d: `M${LEFT},${TOP - 8} V${BOTTOM} H${RIGHT}` }),
    svg("text", { class: "tick", x: LEFT - 4, y: TOP + 6, "text-anchor": "end" }, round(high, language)),
    svg("text", { class: "tick", x: LEFT - 4, y: BOTTOM - 10, "text-anchor": "end" }, round(low, language)),
    svg("text", { class: "tick", x: LEFT + 4, y: TOP - 2 }, texts.outcome),
    svg("text", { class: "tick", x: LEFT, y: BOTTOM + 12 }, "0"),
    svg("text", { class: "tick", x: RIGHT, y: BOTTOM + 12, "text-anchor": "end" }, `${texts.distance} ${round(far, language)}`),
    ...dots.reverse(), // the nearest on top
  );
}
