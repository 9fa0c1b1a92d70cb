// What all elements have in common: a service or none, a language, parts that can be left out, drawing without jumps.

import { Service } from "./api.js";
import { h, place } from "./dom.js";
import { style } from "./style.js";

/** @import { Texts, Schema, Feature } from "./types" */

export class GecoElement extends HTMLElement {
  static observedAttributes = ["language", "service", "hide"];

  constructor() {
    super();
    /** @type {Texts | null} */ this.texts = null;
    /** @type {Schema | null} */ this.schema = null;
    /** @type {Service | null} */ this.api = null;
    /** @type {Service | null} */ this.given = null;
    /** @type {string | null} */ this.secret = null;
    this.busy = false;
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [style()];
    this.content = h("div");
    root.append(this.content);
  }

  /** @returns {string} */
  get language() {
    return this.getAttribute("language") === "de" ? "de" : "en";
  }
  set language(name) {
    this.setAttribute("language", name);
  }
  get token() {
    return this.secret;
  }
  set token(token) {
    this.secret = token;
    this.restart();
  }

  /** Who answers in place of the service that the attribute names, such as the kernel of a notebook. */
  get source() {
    return this.given;
  }
  set source(source) {
    this.given = source;
    this.restart();
  }

  connectedCallback() {
    this.restart();
  }

  /** @param {string} _ @param {string | null} before @param {string | null} after */
  attributeChangedCallback(_, before, after) {
    if (this.isConnected && before !== after) this.restart();
  }

  /** With whoever answers, or with data alone. */
  restart() {
    const url = this.getAttribute("service");
    if (!this.isConnected) return;
    if (this.given) this.api = this.given;
    else if (url === null) this.api = null;
    else if (this.api?.base !== url || this.api.token !== this.token) this.api = new Service(url, this.token);
    if (this.api) this.ask();
    else this.show();
  }

  hides(/** @type {string} */ part) {
    return (this.getAttribute("hide") ?? "").split(/\s+/).includes(part);
  }

  tell(/** @type {string} */ name, /** @type {any} */ detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  /** @returns {Map<string, Feature>} */
  features() {
    return new Map(this.schema?.features.map((each) => [each.name, each]));
  }

  /** Each element's own: ask the service, and what to draw. */
  async ask() {}
  /** @returns {Node[]} */
  parts() {
    return [];
  }

  /** Draw everything; what had the focus has it again, open details stay open, and what is read stays in its place. */
  show() {
    const root = /** @type {ShadowRoot} */ (this.shadowRoot);
    const focused = root.activeElement?.getAttribute("data-key");
    const feature = focused?.split(":").slice(1).join(":");
    const open = [...root.querySelectorAll("details[open][data-details]")].map((each) =>
      each.getAttribute("data-details"),
    );
    const top = () => root.querySelector(".cards")?.getBoundingClientRect().top ?? 0;
    const before = top();
    place(this.content, this.parts());
    this.content.setAttribute("aria-busy", String(this.busy));
    for (const name of open) root.querySelector(`details[data-details="${name}"]`)?.setAttribute("open", "");
    // Asked only where somebody has scrolled: it costs a layout.
    if (before < 0) window.scrollBy(0, top() - before);
    if (!focused) return;
    const again = [focused, `back:${feature}`]
      .map((key) => root.querySelector(`[data-key="${CSS.escape(key)}"]`))
      .find(Boolean);
    /** @type {HTMLElement | undefined} */ (again ?? root.querySelector("h1"))?.focus({ preventScroll: true });
  }
}
