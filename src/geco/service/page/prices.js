// What each rule costs: how much nearer a way would be without it, and which.

import { h, round, say } from "./dom.js";

/** @import { ObstaclesReply, Texts, Blocking } from "./types" */

/** @param {ObstaclesReply} found @param {Texts} texts @param {string} language */
export function pricesPart(found, texts, language) {
  const prices = new Map(found.obstacles.map((each) => [each.rule, each.price]));
  const costly = found.told.priced.filter((each) => prices.get(each.rule) === null || prices.get(each.rule) > 0);
  const open = say(texts.obstacles_unsettled, { number: found.unsettled.length });
  if (!costly.length) return h("p", { class: "soft" }, found.unsettled.length ? open : texts.obstacles_none);
  const price = (/** @type {Blocking} */ each) =>
    prices.get(each.rule) !== null &&
    h("span", { class: "badge" }, say(texts.price, { price: round(prices.get(each.rule), language) }));
  const priced = h(
    "ul",
    { class: "plain" },
    ...costly.map((each) =>
      h(
        "li",
        {},
        h("code", {}, each.rule.replace(/^PLAF /, "")),
        " ",
        price(each),
        h("div", { class: "small" }, say(texts.rule_gone, { then: each.then })),
      ),
    ),
  );
  return h("div", {}, h("p", { class: "soft small" }, texts.obstacles_note), priced, found.unsettled.length > 0 && h("p", { class: "soft small" }, open));
}
