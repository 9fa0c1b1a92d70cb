// What the pages of staff have in common: access from the link, language, a title.

import { fragment, token } from "./access.js";
import { h } from "./dom.js";

/** @import { GecoElement } from "./element.js" */

/**
 * Put the element to work; what else the link brought is returned.
 * @param {GecoElement} element @param {string} title  which text is the title
 */
export function open(element, title) {
  const link = fragment();
  const button = h("button", { type: "button", onclick: () => speak(button.lang) });
  const speak = (/** @type {string} */ name) => {
    const other = name === "de" ? "en" : "de";
    document.documentElement.lang = name;
    sessionStorage.setItem("geco.language", name);
    element.language = name;
    button.lang = other;
    button.textContent = other === "de" ? "Deutsch" : "English";
  };
  const there = title === "desk_title" ? "evidence" : "desk";
  const other = h("a", { href: `../${there}/`, hidden: true });
  element.before(h("nav", { class: "top" }, other, button));
  const language = link.get("language") ?? sessionStorage.getItem("geco.language") ?? navigator.language.slice(0, 2);
  speak(language === "de" ? "de" : "en");
  element.addEventListener("geco-ready", (event) => {
    const { texts } = /** @type {CustomEvent} */ (event).detail;
    document.title = texts[title];
    other.textContent = texts[`${there}_title`];
    other.hidden = false;
  });
  element.token = token(link);
  element.setAttribute("service", "..");
  return link;
}
