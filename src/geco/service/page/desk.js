// <geco-desk>: one case on an officer's desk: what if, ways side by side, what the rules cost, further rules.

import { casePart } from "./case.js";
import { h, place, round, say } from "./dom.js";
import { GecoElement } from "./element.js";
import { pricesPart } from "./prices.js";
import { rulesPart } from "./rules.js";
import { errorPart, GONE, loadingPart } from "./states.js";
import { tradeoffsPart } from "./tradeoffs.js";
import { stairs, waysTable } from "./ways.js";
import { GecoWhatif } from "./whatif.js";

/** @import { X, Told, Way, Texts, ObstaclesReply, ReasonsReply } from "./types" */
/** @import { Service, Unanswered } from "./api.js" */

export class GecoDesk extends GecoElement {
  constructor() {
    super();
    /** @type {X | null} */ this.asked = null;
    /** @type {Told | null} */ this.told = null;
    /** @type {ObstaclesReply | null} */ this.obstacles = null;
    /** @type {ReasonsReply | null} */ this.reasons = null;
    /** @type {Way[] | null} */ this.points = null;
    /** @type {Unanswered | null} */ this.error = null;
    this.rules = "";
    this.row = "";
    this.selected = 1;
    this.whatif = new GecoWhatif();
    this.heading = h("h1");
    this.areas = {
      case: h("div", { class: "at-case" }),
      ways: h("div", { class: "at-ways" }),
      try: h("section", { class: "card at-try" }),
      rules: h("div", { class: "at-rules" }),
    };
    this.grid = h("div", { class: "desk" }, ...Object.values(this.areas));
    /** @type {Map<string, { of: any[], node: HTMLElement }>} */ this.drawn = new Map();
  }

  get x() {
    return this.asked;
  }
  set x(x) {
    this.asked = x;
    this.told = this.obstacles = this.reasons = this.points = null;
    this.selected = 1;
    this.restart();
  }

  /** @param {number} number */
  async pickRow(number) {
    this.row = String(number);
    await this.pick(`/v1/rows/${number}`, undefined, ["data", "no_row"]);
  }

  /** By the column that the project names as its key; sent in the body, as it may tell who it is. @param {string} key */
  async pickKey(key) {
    this.row = "";
    await this.pick("/v1/rows", { key }, ["instance", "no_key"]);
  }

  /** @param {string} path @param {object | undefined} body @param {string[]} none  the problem of there being none, and its text */
  async pick(path, body, [problem, text]) {
    try {
      this.x = (await /** @type {Service} */ (this.api).ask(path, body)).x;
    } catch (error) {
      const found = /** @type {Unanswered} */ (error);
      this.failed(found, found.document?.type?.endsWith(`:${problem}`) ? text : "");
    }
  }

  async ask() {
    const { api, asked } = this;
    if (!api) return;
    this.busy = true;
    this.error = null;
    this.show();
    try {
      const words = this.rules ? { rules: this.rules } : {};
      const [texts, schema, told] = await Promise.all([
        api.texts(this.language),
        api.schema(this.language),
        asked && api.plans({ x: asked, k: 5, language: this.language, ...words }),
      ]);
      if (asked !== this.asked || api !== this.api) return;
      [this.texts, this.schema, this.told, this.busy] = [texts, schema, told, false];
      this.tryOut();
      this.show();
      this.tell("geco-ready", { texts, told });
      if (asked && told?.explanation.status !== "already_good") await this.askMore(api, asked, words);
    } catch (error) {
      this.failed(/** @type {Unanswered} */ (error));
    }
  }

  /** What takes longer: rules and their price, reasons, trade-offs. @param {Service} api @param {X} asked @param {object} words */
  async askMore(api, asked, words) {
    const { language, rules } = this;
    // Where another question was asked meanwhile nothing is asked any more: it would take the place of the newer one.
    const shown = (/** @type {() => void} */ keep) => {
      if (asked !== this.asked || rules !== this.rules || language !== this.language) return false;
      keep();
      this.show();
      return true;
    };
    const obstacles = await api.obstacles({ x: asked, language, ...words });
    if (!shown(() => (this.obstacles = obstacles))) return;
    const reasons = await api.reasons({ x: asked, language });
    if (!shown(() => (this.reasons = reasons))) return;
    const tradeoffs = await api.ask("/v1/tradeoffs", { x: asked, ...words });
    shown(() => (this.points = tradeoffs.points));
  }

  /** The case among the sliders. */
  tryOut() {
    const { whatif } = this;
    whatif.language = this.language;
    if (whatif.token !== this.token) whatif.token = this.token;
    if (whatif.x !== this.asked) whatif.x = this.asked;
    if (whatif.rules !== this.rules) whatif.rules = this.rules;
    if (this.source) whatif.source ??= this.source;
    else if (!whatif.hasAttribute("service")) whatif.setAttribute("service", this.getAttribute("service") ?? ".");
  }

  /** @param {Unanswered} error @param {string} [text]  of the catalogue, in place of what the service said */
  async failed(error, text) {
    if (error.kind === "old") return;
    this.texts ??= (await this.api?.texts(this.language).catch(() => null)) ?? null;
    if (text && this.texts) error.message = this.texts[text];
    this.busy = false;
    this.error = error;
    this.show();
    this.tell("geco-error", { kind: error.kind, detail: error.message });
  }

  /** What somebody may be typing into is drawn anew only if what it is about has changed. */
  once(/** @type {string} */ name, /** @type {any[]} */ of, /** @type {() => HTMLElement} */ draw) {
    const before = this.drawn.get(name);
    if (before && before.of.every((each, place) => each === of[place])) return before.node;
    const node = draw();
    this.drawn.set(name, { of, node });
    return node;
  }

  /** @returns {Node[]} */
  parts() {
    const { texts, schema, error, told } = this;
    if (error && (!texts || error.kind !== "asked"))
      return [errorPart(error, texts ?? GONE[this.language], () => this.ask())];
    if (!texts || !schema) return [loadingPart("")];
    const { areas } = this;
    this.heading.textContent = told ? told.plans.decision : texts.desk_title;
    areas.ways.classList.toggle("busy", this.busy);
    areas.try.hidden = !told;
    const asks = () => casePart(this, texts);
    place(areas.case, [!this.hides("case") && this.once("case", [texts, this.asked, error], asks)]);
    place(areas.ways, told ? this.middle(told, texts) : [h("p", { class: "soft" }, texts.hello)]);
    place(areas.try, [this.once("try", [texts], () => h("h2", {}, texts.what_if)), told && this.whatif]);
    place(areas.rules, told ? this.right(told, texts) : []);
    return [this.heading, this.grid];
  }

  /** @param {Told} told @param {Texts} texts */
  middle(told, texts) {
    const { explanation } = told,
      ways = explanation.counterfactuals,
      features = this.features();
    const onTry = (/** @type {Way} */ way, number = 0) => {
      this.whatif.values = way.values;
      if (number) this.selected = number;
      this.show();
      this.lookAt(this.areas.try);
    };
    const way = ways[Math.min(this.selected, ways.length) - 1];
    const climb = way && stairs(way, explanation.outcome, told.limit, features, this.language);
    return [
      h(
        "section",
        { class: "card", part: "ways" },
        h("h2", {}, texts.ways),
        h("p", { class: "soft small" }, `${texts.now}: ${round(explanation.outcome, this.language)}; ${say(texts.yes_is, { target: explanation.target })}`),
        ways.length
          ? waysTable(explanation, features, texts, this.language, onTry)
          : h("p", {}, explanation.status === "already_good" ? told.plans.decision : texts.no_ways),
      ),
      climb
        ? h(
            "section",
            { class: "card" },
            h("h2", {}, say(texts.steps, { number: Math.min(this.selected, ways.length) })),
            climb,
          )
        : null,
      ways.length > 0
        ? h("section", { class: "card" }, h("h2", {}, texts.tradeoffs), tradeoffsPart(this.points, features, texts, this.language, onTry))
        : null,
    ];
  }

  /** Where an answer appears; it stays where it is if its beginning is seen. @param {HTMLElement} part */
  lookAt(part) {
    const { top } = part.getBoundingClientRect();
    if (top < 0 || top > window.innerHeight - 120) part.scrollIntoView();
  }

  /** What is wrong with the rules that were tried. */
  get wrongRules() {
    return this.error?.document?.diagnostics ? this.error : null;
  }

  /** @param {Told} told @param {Texts} texts */
  right(told, texts) {
    return [
      this.obstacles &&
        h("section", { class: "card" }, h("h2", {}, texts.obstacles), pricesPart(this.obstacles, texts, this.language)),
      this.once("rules", [texts, this.rules, this.wrongRules], () =>
        h("section", { class: "card" }, h("h2", {}, texts.rules), rulesPart(this, texts)),
      ),
      this.reasons &&
        this.reasons.told.length > 0 &&
        h(
          "section",
          { class: "card" },
          h("h2", {}, texts.reasons),
          h("ol", { class: "small" }, ...this.reasons.told.map((text) => h("li", {}, text))),
        ),
      this.once("save", [texts, told], () => this.saves(told, texts)),
    ];
  }

  /** @param {Told} told @param {Texts} texts */
  saves(told, texts) {
    const json = () => save("case.json", JSON.stringify(told.explanation, null, 1), "application/json");
    return h(
      "div",
      { class: "row" },
      h("button", { type: "button", "data-key": "save:json", onclick: json }, texts.to_json),
      h("button", { type: "button", "data-key": "save:report", onclick: () => this.saveReport() }, texts.report),
    );
  }

  async saveReport() {
    const { told, api } = this;
    if (!told || !api) return;
    try {
      const words = this.rules ? { rules: this.rules } : {};
      const report = await api.ask("/v1/report", { x: this.asked, k: 5, language: this.language, ...words });
      save("report.html", report, "text/html");
    } catch (error) {
      this.failed(/** @type {Unanswered} */ (error));
    }
  }
}

/** @param {string} name @param {string} text @param {string} type */
function save(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

customElements.define("geco-desk", GecoDesk);
