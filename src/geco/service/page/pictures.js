// Pictures: where the outcome is and where a yes begins; how a feature is spread among others.

import { h, say, svg, told } from "./dom.js";

/** @import { Explanation, Feature, Told, Texts, Change, Range } from "./types" */

const WIDTH = 320;
const BASE = 30;

/** The outcome as a bar; nothing where it is no probability. @param {Told} answer @param {Texts} texts */
export function outcomeBar(answer, texts) {
  if (answer.limit === null || answer.limit_told === null) return null;
  const now = 100 * answer.explanation.outcome,
    limit = 100 * answer.limit;
  const rest = h("i"),
    pin = h("div", { class: "pin" });
  rest.style.left = `${limit}%`;
  pin.style.left = `${now}%`;
  return h(
    "div",
    {
      class: "outcome",
      part: "outcome",
      role: "img",
      "aria-label": say(texts.scores, { now: answer.plans.outcome, limit: answer.limit_told }),
    },
    h("div", { class: "track" }, rest),
    pin,
    placed("above", now, say(texts.you, { number: answer.plans.outcome })),
    placed("below", limit, say(texts.yes_above, { number: answer.limit_told })),
  );
}

/** A text at a place of the bar, inside at both ends. @param {string} name @param {number} at @param {string} text */
function placed(name, at, text) {
  const made = h("span", { class: name, "aria-hidden": "true" }, text);
  made.style.left = `${at}%`;
  made.style.transform = `translateX(-${at}%)`;
  return made;
}

/**
 * How others are spread, now hollow, then filled, what would do as a bar; only for numbers that have a spread.
 * @param {Feature | undefined} feature @param {Change} change @param {Range | undefined} range @param {Texts} texts @param {string} language
 */
export function strip(feature, change, range, texts, language) {
  if (!feature || typeof change.after !== "number") return null;
  return among(feature, change.before, texts, language, [{ value: change.after, range, name: "" }]);
}

/** The same for all ways of a desk, each with its number. @param {Feature} feature @param {Explanation} explanation @param {Texts} texts @param {string} language */
export function spread(feature, explanation, texts, language) {
  const then = explanation.counterfactuals.flatMap((way, place) => {
    const change = way.changes.find((each) => each.feature === feature.name);
    return change && typeof change.after === "number"
      ? [{ value: change.after, range: way.ranges[feature.name], name: String(place + 1) }]
      : [];
  });
  return then.length ? among(feature, explanation.x[feature.name], texts, language, then) : null;
}

/**
 * @param {Feature} feature @param {any} now @param {Texts} texts @param {string} language
 * @param {{ value: number, range: Range | undefined, name: string }[]} then
 */
function among(feature, now, texts, language, then) {
  const { histogram } = feature;
  if (!histogram || histogram.counts.length < 2) return null;
  const { edges } = histogram,
    low = edges[0],
    high = edges[edges.length - 1];
  const at = (/** @type {number} */ value) => 6 + (WIDTH - 12) * Math.min(1, Math.max(0, (value - low) / (high - low)));
  const write = (/** @type {any} */ value) => told(feature, value, language);
  const label = say(texts.strip, {
    name: feature.label,
    low: write(low),
    high: write(high),
    now: write(now),
    then: then.map((each) => write(each.value)).join(", "),
  });
  return svg(
    "svg",
    {
      class: "strip",
      viewBox: `0 0 ${WIDTH} ${then.some((each) => each.name) ? 48 : 40}`,
      preserveAspectRatio: "xMinYMid meet",
      role: "img",
      "aria-label": label,
    },
    ...bars(histogram.counts),
    svg("line", { class: "base", x1: 6, x2: WIDTH - 6, y1: BASE, y2: BASE }),
    ...then.map(
      ({ range }) =>
        range &&
        typeof range.low === "number" &&
        svg("line", { class: "range", x1: at(range.low), x2: at(range.high), y1: BASE, y2: BASE }),
    ),
    typeof now === "number" && svg("circle", { class: "now", cx: at(now), cy: BASE, r: 5 }),
    ...then.map(({ value }) => svg("circle", { class: "then", cx: at(value), cy: BASE, r: 5.5 })),
    ...numbers(then.filter((each) => each.name).map((each) => ({ x: at(each.value), names: [each.name] }))),
  );
}

/** The numbers of ways below their points; those that would touch are one text. @param {{ x: number, names: string[] }[]} ways */
function numbers(ways) {
  /** @type {{ x: number, names: string[] }[]} */ const labels = [];
  for (const way of [...ways].sort((a, b) => a.x - b.x)) {
    const last = labels.at(-1);
    if (last && way.x - last.x < 8 * last.names.length)
      Object.assign(last, { x: (last.x + way.x) / 2, names: [...last.names, ...way.names].sort() });
    else labels.push({ ...way });
  }
  return labels.map(({ x, names }) => svg("text", { x, y: BASE + 15 }, names.join(", ")));
}

/** How many have which value, by the square root, so that few are seen beside many. @param {number[]} counts */
function bars(counts) {
  const width = (WIDTH - 12) / counts.length,
    most = Math.max(...counts);
  return counts.map((count, place) => {
    const tall = count ? Math.max(1, (BASE - 4) * Math.sqrt(count / most)) : 0;
    return (
      tall > 0 && svg("rect", { x: 6 + place * width, y: BASE - tall, width: Math.max(0.5, width - 1), height: tall })
    );
  });
}
