// Further rules for one case: checked as they are typed, with carets, and tried on a press.

import { h, say } from "./dom.js";

/** @import { Texts, Diagnostic } from "./types" */
/** @import { GecoDesk } from "./desk.js" */

const RESTS = 250; // milliseconds after the last key before rules are checked

/** @param {GecoDesk} desk @param {Texts} texts */
export function rulesPart(desk, texts) {
  const own = desk.schema?.rules ?? [];
  const said = h("pre", { class: "diagnostics", "aria-live": "polite" });
  const text = h("textarea", {
    rows: 4,
    spellcheck: "false",
    class: "mono",
    "data-key": "rules",
    placeholder: "PLAF x_cf.… <= 24",
    value: desk.rules,
    "aria-label": texts.rules_note,
  });
  const button = h(
    "button",
    { type: "button", class: "main", "data-key": "try-rules", onclick: () => tryThem(text.value) },
    texts.try_rules,
  );
  const tryThem = (/** @type {string} */ rules) => {
    desk.rules = rules.trim();
    desk.points = desk.obstacles = null;
    desk.ask();
  };
  let timer = 0;
  const check = async () => {
    if (!desk.api || !text.value.trim()) return said.replaceChildren();
    try {
      const found = await desk.api.ask("/v1/rules:check", { rules: text.value });
      button.disabled = !found.ok;
      text.setAttribute("aria-invalid", String(!found.ok));
      said.replaceChildren(found.diagnostics.map(drawn).join("\n"));
    } catch {
      /* trying them says what is wrong */
    }
  };
  text.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(check, RESTS);
  });
  return h(
    "div",
    {},
    h(
      "details",
      { "data-details": "own" },
      h("summary", {}, say(texts.rules_more, { number: own.length })),
      h("ul", { class: "plain" }, ...own.map((rule) => h("li", {}, h("code", {}, rule)))),
    ),
    h("p", { class: "soft small" }, texts.rules_note),
    text,
    said,
    h(
      "div",
      { class: "row" },
      button,
      desk.rules &&
        h("button", { type: "button", "data-key": "drop-rules", onclick: () => tryThem("") }, texts.drop_rules),
    ),
  );
}

/** A line with a caret under the place. @param {Diagnostic} each */
function drawn(each) {
  const wide = Math.max(1, each.end_line === each.line ? each.end_column - each.column : 1);
  return `${each.message}\n  ${each.source_line}\n  ${" ".repeat(each.column - 1)}${"^".repeat(wide)}${each.help ? `\n${each.help}` : ""}`;
}
