// A link to share: the page alone, or with the person's figures if the person says so; never the token.

import { h } from "./dom.js";

/** @import { Texts, X } from "./types" */

export class GecoShare {
  /** @param {() => X | null} x */
  constructor(x) {
    this.x = x;
    /** @type {Texts} */
    this.texts = {};
    this.panel = h("section", { class: "card share", hidden: true });
  }

  opener() {
    const button = h(
      "button",
      { type: "button", "aria-expanded": "false", onclick: () => this.toggle(button) },
      this.texts.share,
    );
    if (!this.panel.hidden) this.draw();
    return button;
  }

  /** @param {HTMLButtonElement} button */
  toggle(button) {
    this.panel.hidden = !this.panel.hidden;
    button.setAttribute("aria-expanded", String(!this.panel.hidden));
    if (!this.panel.hidden) this.draw();
  }

  /** @param {boolean} withX */
  link(withX) {
    const x = this.x();
    const words = new URLSearchParams({
      language: document.documentElement.lang,
      ...(withX && x ? { x: JSON.stringify(x) } : {}),
    });
    return `${location.origin}${location.pathname}#${words}`;
  }

  draw() {
    const { texts } = this;
    const field = h("input", { readonly: true, value: this.link(false), onfocus: () => field.select() });
    const box = h("input", {
      type: "checkbox",
      onchange: () => {
        field.value = this.link(box.checked);
      },
    });
    this.panel.replaceChildren(
      h("p", { class: "soft" }, texts.share_note),
      h("label", {}, texts.copy_this, field),
      this.x() ? h("label", { class: "check" }, box, texts.share_with) : "",
    );
  }
}
