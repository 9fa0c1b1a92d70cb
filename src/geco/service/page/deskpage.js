// The officer's page: access from the link, language, and one element.

import { fragment, token } from "./access.js";
import { h } from "./dom.js";
import { GecoDesk } from "./desk.js";

const desk = /** @type {GecoDesk} */ (document.querySelector("geco-desk"));
const link = fragment();
const language = link.get("language") ?? sessionStorage.getItem("geco.language") ?? navigator.language.slice(0, 2);

/** @param {string} name */
function speak(name) {
  const other = name === "de" ? "en" : "de";
  document.documentElement.lang = name;
  sessionStorage.setItem("geco.language", name);
  desk.language = name;
  button.lang = other;
  button.textContent = other === "de" ? "Deutsch" : "English";
}

const button = h("button", { type: "button", onclick: () => speak(button.lang) });
desk.before(h("nav", { class: "top" }, button));
speak(language === "de" ? "de" : "en");
desk.token = token(link);
desk.setAttribute("service", "..");
const x = link.get("x");
if (x) desk.x = JSON.parse(x);
else if (link.get("row")) desk.pickRow(Number(link.get("row")));
desk.addEventListener("geco-ready", (event) => {
  document.title = /** @type {CustomEvent} */ (event).detail.texts.desk_title;
});
