// Further rules for one case: checked as they are typed, with carets, and tried on a press.

import { h, say } from "./dom.js";

/** @import { Texts, Diagnostic } from "./types" */
/** @import { GecoDesk } from "./desk.js" */

const RESTS = 250; // milliseconds after the last key before rules are checked

/** @param {GecoDesk} desk @param {Texts} texts */
export function rulesPart(desk, texts) {
  const wrong = desk.wrongRules?.document.diagnostics.map(drawn).join("\n");
  const said = h("pre", { class: "diagnostics", "aria-live": "polite" }, wrong);
  const text = h("textarea", {
    rows: 4,
    spellcheck: "false",
    class: "mono",
    "data-key": "rules",
    placeholder: example(desk),
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
    ownRules(desk.schema?.rules ?? [], texts),
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

/** The rules of the project, to be opened. @param {string[]} rules @param {Texts} texts */
export function ownRules(rules, texts) {
  return h(
    "details",
    { "data-details": "own" },
    h("summary", {}, say(texts.rules_more, { number: rules.length })),
    h("ul", { class: "plain" }, ...rules.map((rule) => h("li", {}, h("code", {}, rule)))),
  );
}

/** Rules that this project would take. @param {GecoDesk} desk */
function example({ schema, x }) {
  const free = (schema?.features ?? []).filter((each) => each.used && !each.fixed && /^[a-z]\w*$/i.test(each.name));
  const number = free.find((each) => each.kind !== "categorical" && typeof x?.[each.name] === "number" && !Object.keys(each.names).length);
  const rules = [number && `PLAF x_cf.${number.name} <= ${x?.[number.name]}`, free[0] && `FIXED ${free[0].name}`];
  return rules.filter(Boolean).join("\n");
}

/** A line with a caret under the place. @param {Diagnostic} each */
function drawn(each) {
  const wide = Math.max(1, each.end_line === each.line ? each.end_column - each.column : 1);
  return `${each.message}\n  ${each.source_line}\n  ${" ".repeat(each.column - 1)}${"^".repeat(wide)}${each.help ? `\n${each.help}` : ""}`;
}
