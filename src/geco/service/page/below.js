// What stands below the plans: limits told back, what blocks, what stays, reasons, kept plans, a link to share.

import { capital, h, say, shown } from "./dom.js";

/** @import { Told, Texts, Feature, ObstaclesReply, Plan } from "./types" */
/** @import { Limit, Limits } from "./limits.js" */

/**
 * A limit told back: alone, or as what stands in the way.
 * @param {Limit} limit @param {Texts} texts @param {Map<string, Feature>} features @param {string} language @param {boolean} blocks
 */
export function saidText(limit, texts, features, language, blocks) {
  const feature = features.get(limit.feature);
  const write = (/** @type {any} */ value) => shown(value, language, feature?.unit);
  const said = say(texts[`${blocks ? "blocked" : "said"}_${limit.meant ?? limit.kind}`], {
    name: feature?.label ?? limit.feature,
    value: write(limit.value),
  });
  return capital(limit.meant && !blocks ? say(texts.said_stays, { said, now: write(limit.now) }) : said);
}

/**
 * What the person said, each to be taken back; what stands in the way is told there.
 * @param {Limits} limits @param {ObstaclesReply | null} blocked @param {Texts} texts
 * @param {(limit: Limit) => string} told @param {(limit: Limit | null) => void} onBack
 */
export function saidPart(limits, blocked, texts, told, onBack) {
  const own = blocked?.told.priced.map((each) => limits.find(each.rule, each.feature)) ?? [];
  const said = limits.said.filter((each) => !own.includes(each));
  if (!said.length) return null;
  const item = (/** @type {Limit} */ limit) =>
    h(
      "li",
      {},
      h("span", {}, told(limit)),
      h(
        "button",
        {
          type: "button",
          "data-key": `back:${limit.feature}`,
          "aria-label": `${texts.take_back}: ${told(limit)}`,
          onclick: () => onBack(limit),
        },
        texts.take_back,
      ),
    );
  return h(
    "section",
    { part: "said" },
    h("h2", {}, texts.said_title),
    h("ul", { class: "said" }, ...said.map(item)),
    limits.said.length > 1 &&
      h("button", { type: "button", class: "quiet", onclick: () => onBack(null) }, texts.start_over),
  );
}

/**
 * What stands in the way where no plan is left. First what the person said, each with what taking it back would bring;
 * only where none of that helps alone, a smallest set of limits and rules.
 * @param {ObstaclesReply | null} found @param {Limits} limits @param {Texts} texts
 * @param {(limit: Limit, blocks?: boolean) => string} told @param {(limit: Limit) => void} onBack
 */
export function blockedPart(found, limits, texts, told, onBack) {
  if (!found) return h("p", { class: "soft" }, texts.looking_why);
  const { blocking, priced } = found.told;
  const own = priced.filter((each) => limits.find(each.rule, each.feature));
  const items = own.length ? own : blocking;
  if (!items.length) return h("section", { class: "notice", part: "blocked" }, h("p", {}, texts.blocked_not));
  const item = (/** @type {import("./types").Blocking} */ each) => {
    const said = limits.find(each.rule, each.feature);
    const then =
      own.length > 0 &&
      h("span", { class: "then" }, h("span", { class: "soft" }, `${texts.blocked_without} `), each.then);
    return h(
      "li",
      {},
      h("span", {}, h("strong", {}, said ? told(said, true) : each.text), then),
      said &&
        h(
          "button",
          { type: "button", "aria-label": `${texts.take_back}: ${told(said)}`, onclick: () => onBack(said) },
          texts.take_back,
        ),
    );
  };
  const together = own.length
    ? null
    : h("p", {}, h("span", { class: "soft" }, `${texts.blocked_without} `), blocking[0].then);
  return h(
    "section",
    { class: "card", part: "blocked" },
    h("h2", {}, texts.blocked_title),
    h("ul", { class: "said down" }, ...items.map(item)),
    together,
  );
}

/** @param {Told} told @param {Limits} limits @param {Texts} texts */
export function staysPart(told, limits, texts) {
  const { stays, stays_title } = told.plans;
  if (!stays.length) return null;
  const why = (/** @type {import("./types").Stays} */ each) =>
    limits.has("cannot", each.feature) ? texts.stays_own : each.why;
  const items = stays.map((each) =>
    h("li", {}, h("span", {}, `${capital(each.name)}: ${each.value}`), h("span", {}, why(each))),
  );
  const list = h("ul", { class: "stays" }, ...items.slice(0, 6));
  const rest = items.slice(6);
  return h(
    "section",
    { part: "stays" },
    h("h2", {}, stays_title),
    list,
    rest.length > 0 &&
      h(
        "details",
        {},
        h("summary", {}, say(texts.stays_more, { number: rest.length })),
        h("ul", { class: "stays" }, ...rest),
      ),
  );
}

/** Reasons, fetched when they are opened. @param {Texts} texts @param {() => Promise<string[]>} fetchReasons @param {boolean} plans  whether there are any */
export function reasonsPart(texts, fetchReasons, plans) {
  const inner = h("div", { "aria-live": "polite" });
  const part = h(
    "details",
    { part: "reasons", "data-details": "reasons" },
    h("summary", {}, texts.reasons_title),
    inner,
  );
  part.addEventListener("toggle", async () => {
    if (!part.open || inner.childNodes.length) return;
    try {
      const told = await fetchReasons();
      inner.replaceChildren(
        told.length ? h("ol", {}, ...told.map((text) => h("li", {}, text))) : h("p", {}, texts.no_reasons),
        plans ? h("p", { class: "soft" }, texts.reasons_note) : "",
      );
    } catch {
      inner.replaceChildren(h("p", { class: "error" }, texts.error_gone));
      part.addEventListener("toggle", () => inner.replaceChildren(), { once: true });
    }
  });
  return part;
}

/** @param {Told} told @param {Texts} texts */
export function howPart(told, texts) {
  const { made } = told.explanation,
    rules = told.rules?.length ? told.rules : null;
  if (!made) return null;
  return h(
    "details",
    { part: "how", "data-details": "how" },
    h("summary", {}, texts.how),
    h("p", { class: "soft" }, texts.how_text, " ", rules ? texts.how_rules : say(texts.how_count, { rules: made.rules })),
    rules && h("ul", { class: "soft" }, ...rules.map((text) => h("li", {}, text))),
  );
}

/** Whether to keep it. @param {Plan} plan @param {{ plan: Plan } | null} kept  one of before @param {Texts} texts @param {(yes: boolean) => void} onDone */
export function keepPart(plan, kept, texts, onDone) {
  return h(
    "div",
    { class: "notice" },
    h("p", {}, kept ? `${texts.keep_ask} ${texts.keep_instead}` : texts.keep_ask),
    h("ul", {}, ...plan.steps.map((step) => h("li", {}, step.text))),
    h(
      "div",
      { class: "row" },
      h(
        "button",
        { type: "button", class: "main", "data-key": "keep:yes", onclick: () => onDone(true) },
        texts.keep_yes,
      ),
      h("button", { type: "button", class: "quiet", onclick: () => onDone(false) }, texts.cancel),
    ),
  );
}

/** @param {{ plan: Plan } | null} kept @param {Texts} texts @param {() => void} onForget */
export function keptPart(kept, texts, onForget) {
  if (!kept) return null;
  return h(
    "details",
    { part: "kept", "data-details": "kept" },
    h("summary", {}, texts.kept_title),
    h("ol", {}, ...kept.plan.steps.map((step) => h("li", {}, step.text, step.now && ` (${step.now})`))),
    h("button", { type: "button", onclick: onForget }, texts.forget),
  );
}
