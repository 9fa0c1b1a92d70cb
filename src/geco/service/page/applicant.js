// The applicant's page: access and x from the link, language, a link to share.

import { fragment, token } from "./access.js";
import { h } from "./dom.js";
import { GecoPlans } from "./plans.js";
import { GecoShare } from "./share.js";

const plans = /** @type {GecoPlans} */ (document.querySelector("geco-plans"));
const link = fragment();
const chosen = link.get("language") ?? sessionStorage.getItem("geco.language") ?? navigator.language.slice(0, 2);
const share = new GecoShare(() => plans.x);

/** @param {string} language */
async function speak(language) {
  document.documentElement.lang = language;
  sessionStorage.setItem("geco.language", language);
  plans.language = language;
  const texts = await plans.api?.texts(language).catch(() => null);
  if (!texts) return;
  document.title = texts.title;
  const other = language === "de" ? "en" : "de";
  const button = h("button", { type: "button", lang: other, onclick: () => speak(other) }, texts.other);
  share.speak(texts);
  top_.replaceChildren(share.opener, button);
  if (document.activeElement === document.body && top_.dataset.spoke) button.focus();
  top_.dataset.spoke = "yes";
}

const top_ = h("nav", { class: "top" });
plans.before(top_, share.panel);
plans.addEventListener("geco-error", (event) => share.allow(/** @type {CustomEvent} */ (event).detail.kind !== "token"));
plans.addEventListener("geco-plans", () => share.allow(true));
plans.language = chosen === "de" ? "de" : "en";
plans.token = token(link);
const x = link.get("x") ?? sessionStorage.getItem("geco.x");
if (x) {
  try {
    plans.x = JSON.parse(x);
    sessionStorage.setItem("geco.x", x);
  } catch {
    /* a link that was cut off: the form asks */
  }
}
plans.setAttribute("service", ".");
speak(plans.language);
