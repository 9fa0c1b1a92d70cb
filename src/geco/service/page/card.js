// One plan: its steps, what a person may say to each of them, how sure it is.

import { capital, h, read, say, shown } from "./dom.js";
import { strip } from "./pictures.js";

/** @import { Plan, Step, Way, Texts, Feature, Change } from "./types" */
/** @import { Limit, Limits } from "./limits.js" */

/**
 * What a card needs besides its plan.
 * @typedef {object} Around
 * @property {Texts} texts @property {string} language @property {Map<string, Feature>} features @property {Limits} limits
 * @property {boolean} [keyed]  whether a picture said what it shows
 * @property {boolean} asks  whether steps may be answered @property {boolean} keeps @property {boolean} scored  out of 100
 * @property {(limit: Limit, pressed: boolean) => void} onSay @property {(plan: Plan) => void} onKeep
 */

/** @param {Plan} plan @param {Way} way @param {number} number @param {Around} around */
export function planCard(plan, way, number, around) {
  const { texts } = around;
  return h(
    "article",
    { class: "card", part: "plan", "aria-labelledby": `plan${number}` },
    h(
      "header",
      {},
      h("h2", { id: `plan${number}` }, plan.title),
      plan.outcome && h("small", { class: "yes" }, say(around.scored ? texts.then_of : texts.then, { number: plan.outcome })),
    ),
    ...plan.steps.map((step) => stepPart(step, way, around)),
    h(
      "ul",
      { class: "sure" },
      ...plan.sure.map((text, place) => h("li", { class: plan.confirmed || place ? "good" : "open" }, text)),
    ),
    around.keeps &&
      h(
        "div",
        { class: "row" },
        h(
          "button",
          { type: "button", class: "main", "data-key": `keep:${number}`, onclick: () => around.onKeep(plan) },
          texts.keep,
        ),
        h("button", { type: "button", onclick: () => window.print() }, texts.print),
      ),
  );
}

/** @param {Step} step @param {Way} way @param {Around} around */
function stepPart(step, way, around) {
  const change = way.changes.find((each) => each.feature === step.feature);
  const feature = around.features.get(step.feature);
  const picture =
    change && !change.categorical && strip(feature, change, way.ranges[step.feature], around.texts, around.language);
  const part = h(
    "div",
    { class: "step" },
    h("strong", {}, step.text),
    " ",
    step.now && h("span", { class: "from" }, step.now),
    picture || null,
    picture && !around.keyed && h("div", { class: "soft small" }, around.texts.strip_key),
    step.also && h("div", { class: "soft small" }, step.also),
    step.rule && h("p", { class: "rule" }, step.rule),
    around.asks && change && buttons(step, change, feature, around),
  );
  if (picture) around.keyed = true;
  return part;
}

/** @param {Step} step @param {Change} change @param {Feature | undefined} feature @param {Around} around */
function buttons(step, change, feature, around) {
  const { texts, limits } = around;
  const toggle = (/** @type {"cannot" | "hard"} */ kind) => {
    const pressed = limits.has(kind, step.feature);
    const press = () => around.onSay({ kind, feature: step.feature }, !pressed);
    return h(
      "button",
      {
        type: "button",
        "data-key": `${kind}:${step.feature}`,
        "aria-pressed": String(pressed),
        "aria-label": `${texts[kind]}: ${step.text}`,
        onclick: press,
      },
      texts[kind],
    );
  };
  const row = h("div", { class: "row" }, toggle("cannot"), toggle("hard"));
  const counts =
    typeof change.before === "number" &&
    typeof change.after === "number" &&
    !change.categorical &&
    feature?.distinct !== 2 &&
    !feature?.names[String(change.after)];
  if (counts) row.append(...bound(step, change, feature, around));
  return row;
}

/**
 * "At most …" where it rises, "not below …" where it falls: a button that becomes a field.
 * @param {Step} step @param {Change} change @param {Feature | undefined} feature @param {Around} around
 */
function bound(step, change, feature, { texts, language, onSay }) {
  const rises = change.after > change.before,
    kind = rises ? "at_most" : "not_below";
  const name = feature?.label ?? step.feature;
  const error = h("p", { class: "error", role: "alert" });
  const input = h("input", {
    inputmode: "decimal",
    autocomplete: "off",
    value: shown(change.after, language),
    "data-key": `value:${step.feature}`,
  });
  const form = h(
    "form",
    { class: "ask", hidden: true, novalidate: true },
    h(
      "label",
      {},
      capital(say(rises ? texts.at_most_of : texts.not_below_of, { name })),
      feature?.unit ? ` (${feature.unit})` : "",
      input,
    ),
    h("button", { class: "main" }, texts.ask_again),
    h("button", { type: "button", class: "quiet", onclick: () => show(false) }, texts.cancel),
    error,
  );
  const opener = h(
    "button",
    {
      type: "button",
      "data-key": `${kind}:${step.feature}`,
      "aria-expanded": "false",
      "aria-label": `${texts[kind]} ${name}`,
      onclick: () => show(form.hidden),
    },
    texts[kind],
  );
  const show = (/** @type {boolean} */ open) => {
    form.hidden = !open;
    opener.setAttribute("aria-expanded", String(open));
    if (open) input.select();
    else opener.focus();
  };
  form.addEventListener("keydown", (event) => event.key === "Escape" && show(false));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const value = read(input.value, language);
    if (value === null) {
      error.textContent = texts.not_a_number;
      input.setAttribute("aria-invalid", "true");
      input.focus();
      return;
    }
    const stays = rises ? value <= change.before : value >= change.before;
    const bound = { feature: step.feature, value };
    onSay(stays ? { kind: "cannot", ...bound, meant: kind, now: change.before } : { kind, ...bound }, true);
  });
  return [opener, form];
}
