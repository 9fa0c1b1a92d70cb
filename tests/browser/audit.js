// What a person or a screen reader would stumble over, as a list of words; empty if nothing.
() => {
  const found = [];
  const all = [];
  const walk = (root) => {
    for (const each of root.querySelectorAll("*")) {
      all.push(each);
      if (each.shadowRoot) walk(each.shadowRoot);
    }
  };
  walk(document);
  const seen = (e) => e.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) && e.getBoundingClientRect().width > 0;
  const words = (e) => (e.innerText ?? e.textContent ?? "").trim();
  const name = (e) =>
    e.getAttribute("aria-label") || (e.labels && [...e.labels].map(words).join(" ")) || words(e) || e.getAttribute("title") || "";

  const controls = all.filter((e) => e.matches("button, input, select, textarea, a[href], summary, [role=button]") && seen(e));
  for (const e of controls) {
    if (!name(e)) found.push(`no name: ${e.outerHTML.slice(0, 120)}`);
    const box = e.getBoundingClientRect();
    const least = matchMedia("(pointer: coarse)").matches ? 40 : 24; // a finger needs more than a mouse
    const pressed = e.matches("input[type=checkbox]") ? (e.closest("label") ?? e).getBoundingClientRect() : box;
    if (pressed.height < least || pressed.width < 24) found.push(`too small: ${name(e)} ${pressed.width} × ${pressed.height}`);
    if (e.tabIndex < 0) found.push(`not reachable: ${name(e)}`);
  }
  for (const e of all.filter((e) => e.matches("[role=img]") && seen(e))) if (!name(e)) found.push("a picture without a name");

  let last = 0;
  for (const e of all.filter((e) => /^H[1-6]$/.test(e.tagName) && seen(e))) {
    const level = Number(e.tagName[1]);
    if (level > last + 1) found.push(`heading jumps from ${last} to ${level}: ${words(e)}`);
    last = level;
  }
  if (all.filter((e) => e.tagName === "H1" && seen(e)).length !== 1) found.push("not one h1");
  if (!document.documentElement.lang) found.push("no language");

  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => {
    const part = (v) => ((v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const behind = (e) => {
    for (let at = e; at; at = at.parentElement ?? at.getRootNode().host) {
      const colour = rgba(getComputedStyle(at).backgroundColor);
      if (colour[3] > 250) return colour;
    }
    return [255, 255, 255, 255]; // a page without a colour of its own
  };
  for (const e of all) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || !seen(e) || e.matches("option, title, script, style, svg *")) continue;
    const [a, b] = [light(rgba(getComputedStyle(e).color)), light(behind(e))].sort((p, q) => q - p);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) found.push(`contrast ${ratio.toFixed(2)}: ${words(e).slice(0, 60)}`);
  }
  return found;
};
