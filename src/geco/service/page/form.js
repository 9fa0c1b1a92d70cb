// A short form for x, made of the schema, for a page that was opened without one.

import { h, read, told } from "./dom.js";

/** @import { Schema, Feature, Texts, X } from "./types" */

/** @param {Schema} schema @param {Texts} texts @param {string} language @param {(x: X) => void} onSend */
export function xForm(schema, texts, language, onSend) {
  const fields = schema.features.map((feature) => field(feature, texts, language));
  const form = h(
    "form",
    { novalidate: true },
    h("h1", {}, texts.form_title),
    h("p", { class: "soft" }, texts.form_note),
    h("div", { class: "fields" }, ...fields.map((each) => each.label)),
    h("button", { class: "main" }, texts.form_send),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const wrong = fields.filter((each) => !each.check());
    if (wrong.length) wrong[0].focus();
    else onSend(Object.fromEntries(fields.map((each) => [each.name, each.value()])));
  });
  return form;
}

/** @param {Feature} feature @param {Texts} texts @param {string} language */
function field(feature, texts, language) {
  const optional = feature.missing > 0 || feature.may_be_missing;
  const error = h("p", { class: "error" });
  const known = feature.values && (feature.kind === "categorical" || feature.distinct <= 12) ? feature.values : null;
  const control = known
    ? select(feature, known, optional, texts, language)
    : h("input", {
        autocomplete: "off",
        inputmode: numeric(feature) ? "decimal" : null,
        type: feature.type === "date" ? "date" : "text",
      });
  const value = () => {
    if (known) return control.value === "" ? null : known[Number(control.value)].value;
    if (control.value.trim() === "") return null;
    return numeric(feature) ? read(control.value, language) : control.value;
  };
  return {
    name: feature.name,
    label: h("label", {}, feature.label, feature.unit ? ` (${feature.unit})` : "", control, error),
    value,
    focus: () => control.focus(),
    check() {
      const empty = control.value.trim() === "",
        fine = empty ? optional : value() !== null;
      control.setAttribute("aria-invalid", String(!fine));
      error.textContent = fine ? "" : numeric(feature) && !known ? texts.not_a_number : texts.form_choose;
      return fine;
    },
  };
}

/** @param {Feature} feature @param {{ value: any }[]} known @param {boolean} optional @param {Texts} texts @param {string} language */
function select(feature, known, optional, texts, language) {
  const first = h("option", { value: "" }, optional ? texts.form_missing : "…");
  return h(
    "select",
    {},
    first,
    ...known.map((each, place) => h("option", { value: place }, told(feature, each.value, language))),
  );
}

/** @param {Feature} feature */
function numeric(feature) {
  return feature.type === "integer" || feature.type === "number";
}
