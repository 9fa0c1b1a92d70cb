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
    this.opener = h("button", { type: "button", onclick: () => this.open(this.panel.hidden) });
    this.open(false);
  }

  /** @param {Texts} texts */
  speak(texts) {
    this.texts = texts;
    this.opener.textContent = texts.share;
    if (!this.panel.hidden) this.draw();
  }

  /** Whoever has no access has nothing to share. @param {boolean} can */
  allow(can) {
    this.opener.hidden = !can;
    if (!can) this.open(false);
  }

  /** @param {boolean} open */
  open(open) {
    this.panel.hidden = !open;
    this.opener.setAttribute("aria-expanded", String(open));
    if (open) this.draw();
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
    const said = h("span", { class: "soft", role: "status" });
    const box = h("input", {
      type: "checkbox",
      onchange: () => {
        field.value = this.link(box.checked);
        said.textContent = "";
      },
    });
    const copy = async () => {
      // Browsers let pages copy only over https; elsewhere the link is marked, to be copied by hand.
      const copied = await navigator.clipboard?.writeText(field.value).then(() => true).catch(() => false);
      said.textContent = copied ? texts.copied : "";
      if (!copied) field.focus();
    };
    this.panel.replaceChildren(
      h("p", { class: "soft" }, texts.share_note),
      h("label", {}, texts.copy_this, field),
      this.x() ? h("label", { class: "check" }, box, texts.share_with) : "",
      h("div", { class: "row" }, h("button", { type: "button", onclick: copy }, texts.copy), said),
    );
  }
}
