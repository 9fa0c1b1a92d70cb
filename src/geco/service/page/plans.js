// <geco-plans>: the decision, plans, and what a person says to them.
//
// With a service:   <geco-plans service="https://…" language="en"></geco-plans>; element.token = …; element.x = {…}
// Without one:      element.data = {explanation, plans, limit, limit_told, texts}
// Events: geco-plans (an answer), geco-said (a limit), geco-kept (a plan), geco-error. hide="stays reasons" leaves parts out.

import { blockedPart, howPart, keepPart, keptPart, reasonsPart, saidPart, saidText, staysPart } from "./below.js";
import { planCard } from "./card.js";
import { h, say } from "./dom.js";
import { GecoElement } from "./element.js";
import { xForm } from "./form.js";
import { Kept } from "./kept.js";
import { Limits } from "./limits.js";
import { outcomeBar } from "./pictures.js";
import { errorPart, GONE, loadingPart } from "./states.js";

/** @import { Told, Texts, X, Plan, ObstaclesReply } from "./types" */
/** @import { Service, Unanswered } from "./api.js" */
/** @import { Limit } from "./limits.js" */

const MOST = 3;

export class GecoPlans extends GecoElement {
  constructor() {
    super();
    this.limits = new Limits();
    this.keeper = new Kept();
    /** @type {Told | null} */ this.told = null;
    /** @type {ObstaclesReply | null} */ this.blocked = null;
    /** @type {Unanswered | null} */ this.error = null;
    /** @type {X | null} */ this.asked = null;
    /** @type {Plan | null} */ this.keeping = null;
    /** The plans to which something was said. @type {Plan[] | null} */ this.saidTo = null;
    this.state = h("p", { class: "state", role: "status", "aria-live": "polite" });
  }

  get x() {
    return this.asked;
  }
  set x(x) {
    this.asked = x;
    this.limits = new Limits();
    this.told = null;
    this.restart();
  }
  /** What is shown without a service, and what was answered by one. */
  get data() {
    return this.told;
  }
  set data(told) {
    this.told = told;
    this.texts = told?.texts ?? this.texts;
    this.schema = told?.schema ?? this.schema;
    this.show();
  }

  /** Ask for plans; the cards of before stay until the answer is there. */
  async ask() {
    const { api } = this;
    if (!api) return;
    this.busy = true;
    this.error = null;
    this.show();
    try {
      const question = { x: this.asked, k: MOST, language: this.language, ...this.limits.words() };
      const [texts, schema, told] = await Promise.all([
        api.texts(this.language),
        api.schema(this.language),
        this.asked && api.plans(question),
      ]);
      if (api !== this.api) return;
      [this.texts, this.schema, this.told, this.blocked] = [texts, schema, told, null];
      this.busy = false;
      this.show();
      if (told) this.answered(told);
    } catch (error) {
      if (api === this.api) this.failed(/** @type {Unanswered} */ (error));
    }
  }

  answered(/** @type {Told} */ told) {
    const { plans } = told.plans;
    if (this.texts) this.state.textContent = good(told) ? "" : this.found(plans, this.texts);
    this.saidTo = null;
    this.tell("geco-plans", told);
    if (!plans.length && !good(told)) this.askWhy();
  }

  /** @param {Plan[]} plans @param {Texts} texts */
  found(plans, texts) {
    if (!plans.length) return texts.found_none;
    const steps = (/** @type {Plan[] | null} */ of) => JSON.stringify(of?.map((plan) => plan.steps.map((step) => step.text)));
    if (steps(plans) === steps(this.saidTo)) return texts.found_same;
    return plans.length === 1 ? texts.found_one : say(texts.found_some, { number: plans.length });
  }

  async failed(/** @type {Unanswered} */ error) {
    if (error.kind === "old") return;
    this.texts = (await this.api?.texts(this.language).catch(() => null)) ?? this.texts;
    this.busy = false;
    this.error = error;
    this.state.textContent = "";
    this.show();
    this.tell("geco-error", { kind: error.kind, detail: error.message });
  }

  /** What stands in the way of the person. */
  async askWhy() {
    const { api } = this,
      { hard: _, ...words } = this.limits.words();
    if (!api) return;
    try {
      this.blocked = await api.obstacles({ x: this.asked, language: this.language, ...words });
      this.show();
    } catch (error) {
      this.failed(/** @type {Unanswered} */ (error));
    }
  }

  /** @param {Limit} limit @param {boolean} holds */
  say(limit, holds) {
    if (holds) this.limits.add(limit);
    else this.limits.remove(limit.kind, limit.feature);
    this.saidTo = holds ? (this.told?.plans.plans ?? null) : null;
    this.tell("geco-said", { ...limit, holds });
    this.ask();
  }

  takeBack(/** @type {Limit | null} */ limit) {
    if (limit) this.say(limit, false);
    else {
      this.limits = new Limits();
      this.ask();
    }
  }

  /** @returns {Node[]} */
  parts() {
    const { texts, told, error } = this;
    if (!texts) return error ? [errorPart(error, GONE[this.language], () => this.ask())] : [loadingPart("")];
    if (error && !told) return [errorPart(error, texts, () => this.ask())];
    if (!told) {
      if (this.asked || !this.schema) return [loadingPart(texts.loading)];
      return [
        xForm(this.schema, texts, this.language, (x) => {
          this.x = x;
        }),
      ];
    }
    return [...this.head(told, texts), ...this.plans(told, texts), ...this.foot(told, texts)].filter(
      (part) => part !== null,
    );
  }

  /** @param {Told} told @param {Texts} texts */
  head(told, texts) {
    const { error } = this;
    if (this.busy) this.state.textContent = texts.asking;
    return [
      h("h1", { tabindex: -1, part: "decision" }, this.decision(told, texts)),
      this.hides("outcome") ? null : outcomeBar(told, texts),
      error && errorPart(error, texts, () => this.ask(), texts.stale),
      this.hides("said")
        ? null
        : saidPart(
            this.limits,
            this.blocked,
            texts,
            (limit) => this.saidText(limit),
            (limit) => this.takeBack(limit),
          ),
      this.state,
      this.asks() && told.plans.plans.length && !this.limits.said.length
        ? h("p", { class: "soft small hint" }, texts.say_so)
        : null,
    ];
  }

  /** Whether steps may be answered. */
  asks() {
    return this.api !== null && !this.hides("says");
  }

  /** @param {Told} told @param {Texts} texts */
  decision(told, texts) {
    const limited = this.limits.said.length > 0 && !told.plans.plans.length && !good(told);
    return limited ? texts.none_left : told.plans.decision;
  }

  saidText(/** @type {Limit} */ limit, blocks = false) {
    return saidText(limit, /** @type {Texts} */ (this.texts), this.features(), this.language, blocks);
  }

  /** @param {Told} told @param {Texts} texts */
  plans(told, texts) {
    const around = {
      texts,
      language: this.language,
      features: this.features(),
      limits: this.limits,
      asks: this.asks(),
      keeps: !this.hides("keep"),
      scored: told.limit !== null,
      onSay: this.say.bind(this),
      onKeep: (/** @type {Plan} */ plan) => this.keep(plan),
    };
    const cards = told.plans.plans.map((plan, place) =>
      planCard(plan, told.explanation.counterfactuals[place], place + 1, around),
    );
    const none =
      cards.length || good(told) || !this.api
        ? []
        : [
            blockedPart(
              this.blocked,
              this.limits,
              texts,
              (limit, blocks) => this.saidText(limit, blocks),
              (limit) => this.takeBack(limit),
            ),
          ];
    return [
      h("div", { class: this.busy ? "cards busy" : "cards" }, ...cards, ...none),
      this.keeping && keepPart(this.keeping, this.keeper.read(), texts, (yes) => this.kept(yes, texts)),
    ];
  }

  /** @param {Told} told @param {Texts} texts */
  foot(told, texts) {
    const { api } = this;
    const reasons = async () =>
      (await /** @type {Service} */ (api).reasons({ x: this.asked, language: this.language })).told;
    return [
      this.hides("stays") ? null : staysPart(told, this.limits, texts),
      this.hides("reasons") || !api || good(told) ? null : reasonsPart(texts, reasons, told.plans.plans.length > 0),
      this.hides("how") || !told.plans.plans.length ? null : howPart(told, texts),
      this.hides("keep")
        ? null
        : keptPart(this.keeper.read(), texts, () => {
            this.keeper.forget();
            this.show();
          }),
    ];
  }

  /** Nothing is kept before the person says so. @param {Plan} plan */
  keep(plan) {
    this.keeping = plan;
    this.show();
    /** @type {HTMLElement} */ (this.shadowRoot?.querySelector('[data-key="keep:yes"]')).focus();
  }

  /** It is shown where it was put. @param {boolean} yes @param {Texts} texts */
  kept(yes, texts) {
    const { keeping } = this,
      wrote = yes && keeping !== null && this.keeper.write(keeping);
    if (yes) this.state.textContent = wrote ? texts.kept : texts.kept_not;
    if (yes) this.tell("geco-kept", keeping);
    this.keeping = null;
    this.show();
    if (!yes) return;
    const part = wrote ? this.shadowRoot?.querySelector('[data-details="kept"]') : null;
    part?.setAttribute("open", "");
    /** @type {HTMLElement | null | undefined} */ (part?.querySelector("summary"))?.focus({ preventScroll: true });
    (part ?? this.state).scrollIntoView({ block: "center" });
  }
}

/** @param {Told} told */
function good(told) {
  return told.explanation.status === "already_good";
}

customElements.define("geco-plans", GecoPlans);
