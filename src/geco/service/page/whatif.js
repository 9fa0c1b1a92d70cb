// <geco-whatif>: every feature to move, with the model's answer, the rules that break, and what they drag along.
//
// <geco-whatif service="https://…"></geco-whatif>; element.token = …; element.x = {…}; element.values = {…} sets the sliders.
// Event: geco-whatif (what the service answered).

import { h, read, round, say, shown, told } from "./dom.js";
import { GecoElement } from "./element.js";
import { errorPart, GONE, loadingPart } from "./states.js";

/** @import { X, Feature, WhatIfReply, Allowed, Texts, Change } from "./types" */
/** @import { Unanswered } from "./api.js" */

const SLIDES = 90; // milliseconds of rest before the model is asked

const UNCHANGED = { changes: [], broken: [], missing: [], outside: [], dragged: [], repaired: null, told: { outside: [] } };

export class GecoWhatif extends GecoElement {
  constructor() {
    super();
    /** @type {X | null} */ this.asked = null;
    /** @type {X} */ this.tried = {};
    /** @type {WhatIfReply | null} */ this.said = null;
    /** @type {Map<string, Allowed>} */ this.allowed = new Map();
    /** @type {string[]} */ this.kept = [];
    /** @type {Unanswered | null} */ this.error = null;
    this.further = "";
    this.timer = 0;
    this.verdict = h("div", { class: "verdict", "aria-live": "polite" });
    this.lights = h("ul", { class: "lights" });
  }

  get x() {
    return this.asked;
  }
  set x(x) {
    this.asked = x;
    this.tried = { ...x };
    this.restart();
  }
  /** Further rules, in PLAF. */
  get rules() {
    return this.further;
  }
  set rules(rules) {
    this.further = rules;
    this.restart();
  }
  get values() {
    return this.tried;
  }
  set values(values) {
    this.tried = { ...this.asked, ...values };
    this.show();
    this.askModel();
  }

  async ask() {
    const { api, asked, further } = this;
    if (!api || !asked) return this.show();
    try {
      const [texts, schema, allowed] = await Promise.all([
        api.texts(this.language),
        api.schema(this.language),
        api.ask("/v1/schema", { x: asked, ...this.words() }),
      ]);
      if (asked !== this.asked || further !== this.further) return;
      [this.texts, this.schema, this.error] = [texts, schema, null];
      this.kept = allowed.rules;
      this.allowed = new Map(allowed.features.map((/** @type {Allowed} */ each) => [each.name, each]));
      this.show();
      await this.askModel();
    } catch (error) {
      this.failed(/** @type {Unanswered} */ (error));
    }
  }

  words() {
    return this.further ? { rules: this.further } : {};
  }

  /** What the model says of the values as they are. */
  async askModel() {
    const { api, asked } = this;
    if (!api || !asked || !this.texts) return;
    const changes = Object.fromEntries(Object.entries(this.tried).filter(([name, value]) => value !== asked[name]));
    try {
      this.said = Object.keys(changes).length
        ? await api.ask("/v1/what_if", { x: asked, changes, language: this.language, ...this.words() })
        : {
            ...UNCHANGED,
            ...(await api.ask("/v1/predict", { rows: [asked] })).predictions[0],
            x: asked,
            values: asked,
          };
      this.judge();
      this.tell("geco-whatif", this.said);
    } catch (error) {
      this.failed(/** @type {Unanswered} */ (error));
    }
  }

  async failed(/** @type {Unanswered} */ error) {
    if (error.kind === "old") return;
    this.texts ??= (await this.api?.texts(this.language).catch(() => null)) ?? null;
    this.error = error;
    this.show();
    this.tell("geco-error", { kind: error.kind, detail: error.message });
  }

  /** @param {string} name @param {any} value */
  move(name, value) {
    this.tried = { ...this.tried, [name]: value };
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.askModel(), SLIDES);
  }

  /** @returns {Node[]} */
  parts() {
    const { texts, schema, error } = this;
    if (error) return [errorPart(error, texts ?? GONE[this.language], () => ((this.error = null), this.ask()))];
    if (!this.asked) return [];
    if (!texts || !schema) return [loadingPart("")];
    const first = schema.features.filter((each) => each.used && !each.fixed);
    const rest = schema.features.filter((each) => !first.includes(each));
    const fields = (/** @type {Feature[]} */ those) => those.map((each) => this.field(each, texts));
    return [
      this.verdict,
      h("p", { class: "soft small" }, texts.what_if_note),
      ...fields(first),
      rest.length
        ? h(
            "details",
            { "data-details": "rest" },
            h("summary", {}, say(texts.other_features, { number: rest.length })),
            ...fields(rest),
          )
        : h("span"),
      this.lights,
    ];
  }

  /** @param {Feature} feature @param {Texts} texts */
  field(feature, texts) {
    const allowed = this.allowed.get(feature.name);
    const listed =
      feature.values && (feature.kind === "categorical" || feature.type === "text" || feature.distinct <= 8);
    const control = listed ? this.choice(feature, allowed) : this.slider(feature);
    return h(
      "div",
      { class: "field" },
      ...control,
      h("small", { class: "soft" }, bounds(feature, allowed, texts, this.language)),
    );
  }

  /** @param {Feature} feature @param {Allowed | undefined} allowed */
  choice(feature, allowed) {
    const now = this.asked?.[feature.name],
      value = this.tried[feature.name];
    const values = (feature.values ?? []).map((each) => each.value);
    if (!values.includes(value)) values.push(value);
    const free = new Set([now, ...(allowed?.values ?? []).map((each) => each.value)]);
    const options = values.map((each, place) =>
      h(
        "option",
        { value: place, selected: each === value, class: free.has(each) ? null : "soft" },
        told(feature, each, this.language) + (free.has(each) ? "" : " ▲"),
      ),
    );
    const key = `set:${feature.name}`;
    const select = h(
      "select",
      { id: key, "data-key": key, onchange: () => this.move(feature.name, values[Number(select.value)]) },
      ...options,
    );
    return [h("label", { for: key }, feature.label), select];
  }

  /** @param {Feature} feature */
  slider(feature) {
    const value = this.tried[feature.name],
      key = `set:${feature.name}`,
      whole = feature.type === "integer";
    const number = h("input", {
      class: "number",
      "aria-label": feature.label,
      "data-key": `number:${feature.name}`,
      inputmode: "decimal",
      value: value === null ? "" : shown(value, this.language),
    });
    const numeric = typeof feature.minimum === "number";
    const range = numeric
      ? h("input", {
          type: "range",
          id: key,
          "data-key": key,
          min: feature.minimum,
          max: feature.maximum,
          step: whole ? 1 : (feature.maximum - feature.minimum) / 200 || 1,
          value,
        })
      : h("span", { id: key });
    range.addEventListener("input", () => {
      const moved = Number(/** @type {HTMLInputElement} */ (range).value);
      number.value = shown(moved, this.language);
      this.move(feature.name, moved);
    });
    number.addEventListener("change", () => {
      const typed = numeric ? read(number.value, this.language) : number.value;
      number.setAttribute("aria-invalid", String(typed === null));
      if (typed === null) return;
      if (numeric) /** @type {HTMLInputElement} */ (range).value = String(typed);
      this.move(feature.name, typed);
    });
    return [h("label", { for: key }, feature.label, feature.unit ? ` (${feature.unit})` : ""), number, range];
  }

  /** The model's word, the rules that break, what they drag along. */
  judge() {
    const { said, texts } = this;
    if (!said || !texts) return;
    const write = (/** @type {Change} */ each) =>
      `${this.features().get(each.feature)?.label ?? each.feature} ${told(this.features().get(each.feature), each.after, this.language)}`;
    const adopt =
      said.dragged.length > 0 &&
      h(
        "button",
        { type: "button", class: "small", onclick: () => (this.values = said.repaired ?? this.tried) },
        say(texts.adopt, { changes: said.dragged.map(write).join(", ") }),
      );
    this.verdict.replaceChildren(
      h(
        "p",
        {},
        h("strong", { class: said.good ? "yes" : "no" }, said.good ? texts.says_yes : texts.says_no),
        ` ${round(said.outcome, this.language)} `,
        h("span", { class: "soft" }, `(${say(texts.yes_is, { target: said.target })})`),
      ),
      ...said.told.outside.map((text) => h("p", { class: "soft small" }, `${text}.`)),
      h(
        "div",
        { class: "row" },
        adopt || "",
        h("button", { type: "button", class: "small", onclick: () => (this.values = {}) }, texts.reset),
      ),
    );
    const bare = (/** @type {string} */ rule) => rule.replace(/^PLAF\s+/, "").replace(/\s+/g, " ");
    const broken = new Set([...said.broken.map(bare), ...said.missing]);
    const known = this.kept.map(bare);
    const all = [...broken].filter((rule) => !known.includes(rule)).concat(known);
    this.lights.replaceChildren(...all.map((rule) => h("li", { class: broken.has(rule) ? "broken" : null }, rule)));
  }
}

/** @param {Feature} feature @param {Allowed | undefined} allowed @param {Texts} texts @param {string} language */
function bounds(feature, allowed, texts, language) {
  if (!allowed) return "";
  if (!allowed.may_change) return texts.allowed_fixed;
  if (typeof allowed.minimum !== "number" || feature.kind === "categorical") return "";
  if (feature.distinct <= 8) return ""; // its list says it
  const ends = [allowed.minimum, allowed.maximum, ...(typeof allowed.value === "number" ? [allowed.value] : [])];
  return say(texts.allowed, { low: shown(Math.min(...ends), language), high: shown(Math.max(...ends), language, feature.unit) });
}

customElements.define("geco-whatif", GecoWhatif);
