// <geco-summary>: how many can be helped, by what and at what cost; groups side by side.
//
// Plain data: element.data = {summary, texts, schema}, summary as explainer.summary(…).to_dict() or POST /v1/summary gives it.

import { capital, h, round, say } from "./dom.js";
import { GecoElement } from "./element.js";

/** @import { SummaryReply, GroupSummary, Texts } from "./types" */

export class GecoSummary extends GecoElement {
  constructor() {
    super();
    /** @type {SummaryReply | null} */ this.summary = null;
  }

  get data() {
    return this.summary && { summary: this.summary, texts: this.texts, schema: this.schema };
  }
  set data(given) {
    this.summary = given?.summary ?? null;
    this.texts = given?.texts ?? null;
    this.schema = given?.schema ?? null;
    this.show();
  }

  /** @returns {Node[]} */
  parts() {
    const { summary, texts } = this;
    if (!summary || !texts) return [];
    const columns = [summary.everyone, ...summary.groups];
    const row = (/** @type {string} */ name, /** @type {(group: GroupSummary) => string} */ of) =>
      h("tr", {}, h("th", { scope: "row" }, name), ...columns.map((each) => h("td", {}, of(each))));
    const head = columns.map((each, place) => h("th", { scope: "col" }, place ? this.group(each.name) : texts.everyone));
    const share = (/** @type {number | null} */ value) => (value === null ? "–" : `${round(100 * value, this.language)} %`);
    return [
      h(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": texts.summary },
        h(
          "table",
          {},
          h("thead", {}, h("tr", {}, h("td"), ...head)),
          h(
            "tbody",
            {},
            row(texts.people, (each) => String(each.people)),
            row(texts.already_good, (each) => String(each.already_good)),
            row(texts.asking_people, (each) => String(each.asking)),
            row(texts.helped, (each) => share(each.helped)),
            row(texts.cost_median, (each) => round(/** @type {number} */ (each.cost["0.5"]), this.language)),
            row(texts.moves, (each) => this.moves(each)),
          ),
        ),
      ),
      ...summary.differences.map((each) => h("p", { class: "soft small" }, this.difference(each, texts))),
    ];
  }

  /** The features that change most often. @param {GroupSummary} group */
  moves(group) {
    const people = new Map();
    for (const each of group.moves) people.set(each.feature, (people.get(each.feature) ?? 0) + each.people);
    const most = [...people].sort((a, b) => b[1] - a[1]).slice(0, 3);
    return most.map(([feature, number]) => `${this.name(feature)} (${number})`).join(", ") || "–";
  }

  /** @param {Record<string, any>} each @param {Texts} texts */
  difference(each, texts) {
    const measure = each.measure === "helped" ? texts.helped : each.measure === "cost" ? texts.distance : each.measure;
    return say(each.too_few ? texts.too_few : texts.difference, {
      ...each,
      group: this.group(each.group),
      than: this.group(each.than),
      measure: capital(measure),
      value: round(each.value, this.language),
      low: round(each.low, this.language),
      high: round(each.high, this.language),
    });
  }

  /** A group is called by its value. @param {string} name */
  group(name) {
    return this.features().get(this.summary?.by ?? "")?.names[name] ?? name;
  }

  /** @param {string} feature */
  name(feature) {
    return this.features().get(feature)?.label ?? feature;
  }
}

customElements.define("geco-summary", GecoSummary);
