// Which case lies on the desk: a row of the table by its number or key, or JSON that somebody pastes.

import { h, say } from "./dom.js";

/** @import { Texts } from "./types" */
/** @import { GecoDesk } from "./desk.js" */

/** @param {GecoDesk} desk @param {Texts} texts */
export function casePart(desk, texts) {
  const last = (desk.schema?.rows ?? 0) - 1,
    keyed = desk.schema?.keyed === true;
  const number = h("input", { type: "number", min: 0, max: last < 0 ? null : last, value: desk.row, "data-key": "row" });
  const key = h("input", { autocomplete: "off", "data-key": "key" });
  const said = desk.asked ? JSON.stringify(desk.asked, null, 1) : "";
  const text = h("textarea", { rows: 4, spellcheck: "false", "data-key": "json", value: said });
  const wrong = h("p", { class: "error", role: "alert" }, desk.wrongRules ? "" : desk.error?.message);
  const read = () => {
    const x = object(text.value);
    if (x === null) wrong.textContent = texts.not_json;
    else desk.x = x;
  };
  const ask = (/** @type {string} */ label, /** @type {HTMLElement} */ field, /** @type {string} */ press) => [
    h("label", {}, label, field),
    h("button", {}, press),
  ];
  return h(
    "section",
    { class: "card" },
    h("h2", {}, texts.case),
    form(ask(last < 0 ? texts.row : say(texts.row_of, { last }), number, texts.show_row), () => number.value !== "" && desk.pickRow(Number(number.value))),
    h(
      "details",
      { "data-details": "json" },
      h("summary", {}, keyed ? texts.or_key : texts.or_json),
      keyed && form(ask(texts.key, key, texts.show_key), () => key.value.trim() && desk.pickKey(key.value.trim())),
      form(ask(texts.json, text, texts.show_json), read),
    ),
    wrong,
  );
}

/** @param {HTMLElement[]} inner @param {() => void} onSubmit */
function form(inner, onSubmit) {
  const submitted = (/** @type {Event} */ event) => {
    event.preventDefault();
    onSubmit();
  };
  return h("form", { class: "ask", onsubmit: submitted }, ...inner);
}

/** @param {string} text */
function object(text) {
  try {
    const x = JSON.parse(text);
    return typeof x === "object" && x !== null && !Array.isArray(x) ? x : null;
  } catch {
    return null;
  }
}
