// Ways side by side, and one after the other as steps.

import { h, round, say, svg, told } from "./dom.js";
import { spread } from "./pictures.js";

/** @import { Explanation, Way, Feature, Texts, Change } from "./types" */

/**
 * A table: a row per feature that any way changes, a column per way.
 * @param {Explanation} explanation @param {Map<string, Feature>} features @param {Texts} texts @param {string} language
 * @param {(way: Way, number: number) => void} onTry
 */
export function waysTable(explanation, features, texts, language, onTry) {
  const ways = explanation.counterfactuals;
  const changed = [...features.keys()].filter((name) =>
    ways.some((way) => way.changes.some((each) => each.feature === name)),
  );
  const head = ways.map((way, place) => {
    const name = say(texts.way, { number: place + 1 });
    const press = () => onTry(way, place + 1);
    const button = h(
      "button",
      {
        type: "button",
        class: "small",
        "data-key": `try:${place + 1}`,
        "aria-label": `${texts.try_way}: ${name}`,
        onclick: press,
      },
      texts.try_way,
    );
    return h("th", { scope: "col" }, h("strong", {}, name), h("div", {}, button));
  });
  const sure = (/** @type {Way} */ way, /** @type {number} */ place) =>
    place === 0 && explanation.proven ? `✓ ${texts.proven}` : way.confirmed ? "✓" : texts.not_confirmed;
  const figures = [
    figure(
      texts.outcome,
      round(explanation.outcome, language),
      ways.map((way) => round(way.outcome, language)),
    ),
    figure(
      texts.distance,
      "0",
      ways.map((way) => round(way.distance, language)),
    ),
    figure(texts.confirmed, "", ways.map(sure)),
  ];
  const rows = changed.flatMap((name) => {
    const feature = /** @type {Feature} */ (features.get(name));
    const picture = spread(feature, explanation, texts, language);
    return [
      h(
        "tr",
        {},
        h("th", { scope: "row" }, feature.label),
        h("td", {}, told(feature, explanation.x[name], language)),
        ...ways.map((way) => cell(way, feature, texts, language)),
      ),
      picture && h("tr", { class: "spread" }, h("td"), h("td", { colspan: ways.length + 1 }, picture)),
    ];
  });
  const same = [...features.values()].filter((each) => !changed.includes(each.name));
  return h(
    "div",
    {},
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": texts.ways },
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, h("td"), h("th", { scope: "col" }, texts.now), ...head)),
        h("tbody", {}, ...rows, ...figures),
      ),
    ),
    h("p", { class: "soft small" }, texts.ways_key),
    h("p", { class: "soft small" }, texts.distance_is),
    same.length > 0 &&
      h(
        "details",
        { "data-details": "same" },
        h("summary", {}, say(texts.unchanged, { number: same.length })),
        h(
          "ul",
          { class: "stays" },
          ...same.map((each) =>
            h("li", {}, h("span", {}, each.label), h("span", {}, told(each, explanation.x[each.name], language))),
          ),
        ),
      ),
  );
}

/** A row of figures. @param {string} name @param {string} now @param {string[]} of */
function figure(name, now, of) {
  const cells = of.map((text) => h("td", {}, text));
  return h("tr", { class: "figure" }, h("th", { scope: "row" }, name), h("td", {}, now), ...cells);
}

/** @param {Way} way @param {Feature} feature @param {Texts} texts @param {string} language */
function cell(way, feature, texts, language) {
  const change = way.changes.find((each) => each.feature === feature.name);
  if (!change) return h("td", { class: "soft" }, "=");
  const range = way.ranges[feature.name];
  const wide = range && range.low !== range.high && typeof range.low === "number";
  return h(
    "td",
    { class: "then" },
    told(feature, change.after, language),
    change.required_by && h("span", { class: "badge", title: change.required_by }, texts.required),
    wide
      ? h(
          "small",
          { class: "soft" },
          say(texts.at_limit, { low: told(feature, range.low, language), high: told(feature, range.high, language) }),
        )
      : null,
  );
}

/** The outcome after each step, as stairs. @param {Way} way @param {number} before @param {number | null} limit @param {Map<string, Feature>} features @param {string} language */
export function stairs(way, before, limit, features, language) {
  const steps = way.steps ?? [];
  const outcomes = [before, ...steps.map((each) => each.outcome)];
  if (steps.length === 0 || outcomes.some((each) => typeof each !== "number")) return null;
  const low = Math.min(...outcomes, limit ?? Infinity),
    high = Math.max(...outcomes, limit ?? -Infinity),
    span = high - low || 1;
  const y = (/** @type {number} */ value) => 82 - (70 * (value - low)) / span,
    width = 400 / outcomes.length;
  const path = outcomes.map((value, place) => `${place ? "V" : "M0,"}${y(value)} H${(place + 1) * width}`).join(" ");
  const name = (/** @type {Change} */ each) =>
    `${features.get(each.feature)?.label ?? each.feature} ${told(features.get(each.feature), each.after, language)}`;
  const labels = steps.map((each) => each.changes.map(name).join(", "));
  return h(
    "div",
    {},
    svg(
      "svg",
      { class: "stair", viewBox: "0 0 400 100", role: "img", "aria-label": outcomes.map((value) => round(value, language)).join(" ▸ ") },
      limit !== null && svg("line", { class: "limit", x1: 0, x2: 400, y1: y(limit), y2: y(limit) }),
      svg("path", { d: path }),
      ...outcomes.map((value, place) =>
        svg("text", { x: place * width + 4, y: Math.max(10, y(value) - 5) }, round(value, language)),
      ),
    ),
    h("ol", { class: "small" }, ...labels.map((text, place) => h("li", {}, `${text} ▸ ${round(outcomes[place + 1], language)}`))),
  );
}
