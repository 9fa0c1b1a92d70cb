// Small things that every part needs: elements, texts with braces, numbers in a language.

/** @import { Feature } from "./types" */
/** @typedef {Node | string | null | undefined | false} Child */

/**
 * An element; names that begin with "on" are listeners, true and false are attributes without a value.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name @param {Record<string, any>} [with_] @param {...Child} inner @returns {HTMLElementTagNameMap[K]}
 */
export function h(name, with_ = {}, ...inner) {
  return fill(document.createElement(name), with_, inner);
}

/** The same for SVG. @param {string} name @param {Record<string, any>} [with_] @param {...Child} inner @returns {SVGElement} */
export function svg(name, with_ = {}, ...inner) {
  return fill(/** @type {SVGElement} */ (document.createElementNS("http://www.w3.org/2000/svg", name)), with_, inner);
}

/** @template {Element} E @param {E} made @param {Record<string, any>} with_ @param {Child[]} inner @returns {E} */
function fill(made, with_, inner) {
  for (const [key, value] of Object.entries(with_)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "value" && "value" in made) made.value = value;
    else made.setAttribute(key, value === true ? "" : String(value));
  }
  for (const child of inner) if (child) made.append(child);
  return made;
}

/**
 * What stands in an element; what stays is not touched, so that somebody may be typing into it.
 * @param {Element} holder @param {Child[]} inner
 */
export function place(holder, inner) {
  const wanted = inner.filter((each) => each instanceof Node);
  for (const each of [...holder.childNodes]) if (!wanted.includes(each)) each.remove();
  wanted.forEach((each, at) => {
    if (holder.childNodes[at] !== each) holder.insertBefore(each, holder.childNodes[at] ?? null);
  });
}

/** A text with its braces filled in. @param {string} text @param {Record<string, any>} values */
export function say(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, key) => (key in values ? String(values[key]) : whole));
}

/** A value as people write it. @param {any} value @param {string} language @param {string | null} [unit] */
export function shown(value, language, unit) {
  if (typeof value !== "number") return value === null || value === undefined ? "–" : String(value);
  const text = numbers(language).format(value);
  return unit ? `${text} ${unit}` : text;
}

/** A figure that nobody reads to the last digit. @param {any} value @param {string} language */
export function round(value, language) {
  return typeof value === "number" ? numbers(language, 3).format(value) : "–";
}

/** Made once for each language: it takes milliseconds. @type {Map<string, Intl.NumberFormat>} */
const FORMATS = new Map();

/** @param {string} language @param {number} [digits] */
function numbers(language, digits = 15) {
  const key = `${language}${digits}`;
  const made = FORMATS.get(key) ?? new Intl.NumberFormat(language, { maximumSignificantDigits: digits });
  FORMATS.set(key, made);
  return made;
}

/** A value of a feature: its name, where it has one. @param {Feature | undefined} feature @param {any} value @param {string} language */
export function told(feature, value, language) {
  return feature?.names[String(value)] ?? shown(value, language, feature?.unit);
}

/** A number that somebody typed, with the separators of the language; null if it is none. @param {string} text @param {string} language */
export function read(text, language) {
  const point = language === "de" ? "," : ".";
  const plain = text
    .trim()
    .split(language === "de" ? "." : ",")
    .join("")
    .replace(point, ".")
    .replace(/[\s\u00a0]/g, "");
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(plain) ? Number(plain) : null;
}

/** @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
