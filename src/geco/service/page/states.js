// What is shown while there is no answer: on its way, or not to be had.

import { h } from "./dom.js";

/** @import { Texts } from "./types" */
/** @import { Unanswered } from "./api.js" */

// The catalogue comes from the service; these say that it cannot be reached. tests/service/test_page.py compares them.
/** @type {Record<string, Texts>} */
export const GONE = {
  en: {
    error_title: "That did not work",
    error_gone: "The service cannot be reached. Nothing you told us is lost.",
    try_again: "Try again",
  },
  de: {
    error_title: "Das hat nicht geklappt",
    error_gone: "Der Dienst ist nicht erreichbar. Nichts von dem, was Sie gesagt haben, ist verloren.",
    try_again: "Noch einmal versuchen",
  },
};

/** Cards without words, so that nothing jumps when the words come. @param {string} text */
export function loadingPart(text) {
  const card = () =>
    h(
      "div",
      { class: "card", "aria-hidden": "true" },
      h("div", { class: "bone short" }),
      h("div", { class: "bone" }),
      h("div", { class: "bone short" }),
    );
  return h(
    "div",
    {},
    h("p", { class: "state", role: "status" }, text),
    h("div", { class: "bone", "aria-hidden": "true" }),
    card(),
    card(),
  );
}

/** @param {Unanswered} error @param {Texts} texts @param {() => void} again @param {string} [more] */
export function errorPart(error, texts, again, more) {
  const said =
    {
      gone: texts.error_gone,
      kernel: texts.error_kernel,
      token: texts.error_token ?? texts.error_gone,
      busy: texts.error_busy ?? texts.error_gone,
    }[error.kind] ?? error.message;
  return h(
    "section",
    { class: "notice bad", role: "alert" },
    more ? null : h("h1", {}, texts.error_title),
    h("p", {}, more ? `${said} ${more}` : said),
    error.kind !== "token" &&
      h("div", { class: "row" }, h("button", { type: "button", "data-key": "again", onclick: again }, texts.try_again)),
  );
}
