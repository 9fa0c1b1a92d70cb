// The elements in a notebook, as anywidget loads them: one module, which brings the others along.
//
// SOURCES, the text of each of them, is written above this by geco/notebook/modules.py.

/** @import { WidgetModel } from "./types" */

const LOADED = Symbol.for("geco.modules");

/** All elements and the class Kernel; once per page, as an element can be defined once only. @returns {Promise<any>} */
function loaded() {
  const page = /** @type {any} */ (globalThis);
  page[LOADED] ??= (async () => {
    const urls = new Map();
    for (const root of ["plans.js", "whatif.js", "desk.js"]) await import(address(root, urls));
    return import(address("kernel.js", urls));
  })();
  return page[LOADED];
}

/** Where a module can be imported from, its own imports first. @param {string} name @param {Map<string, string>} urls @returns {string} */
function address(name, urls) {
  const known = urls.get(name);
  if (known) return known;
  const source = SOURCES[name].replace(
    /^(import\b[^"']*)"\.\/([\w.]+)"/gm,
    (/** @type {string} */ _, /** @type {string} */ words, /** @type {string} */ other) =>
      `${words}"${address(other, urls)}"`,
  );
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  urls.set(name, url);
  return url;
}

/** JupyterLab says on its body whether it is light; elsewhere the browser knows. @param {HTMLElement} el */
function light(el) {
  const said = document.body.dataset.jpThemeLight;
  el.style.colorScheme = said === undefined ? "light dark" : said === "true" ? "light" : "dark";
}

/** @param {{ model: WidgetModel, el: HTMLElement }} given */
async function render({ model, el }) {
  const { Kernel } = await loaded();
  const kernel = new Kernel(model);
  const element = /** @type {any} */ (document.createElement(`geco-${model.get("show")}`));
  const said = () => {
    element.language = model.get("language");
    element.setAttribute("hide", model.get("hide"));
  };
  const asked = () => (element.x = model.get("_x"));
  el.style.font = '1rem/1.5 system-ui, "Segoe UI", sans-serif';
  if (model.get("show") !== "desk") el.style.maxWidth = "44rem";
  el.dataset.lmSuppressShortcuts = "true"; // of JupyterLab: what is typed into a field is no command
  light(el);
  const theme = new MutationObserver(() => light(el));
  theme.observe(document.body, { attributeFilter: ["data-jp-theme-light"] });
  model.on("change:language", said);
  model.on("change:hide", said);
  model.on("change:_x", asked);
  said();
  element.source = kernel;
  asked();
  el.append(element);
  return () => {
    theme.disconnect();
    model.off("change:language", said);
    model.off("change:hide", said);
    model.off("change:_x", asked);
    kernel.end();
  };
}

export default { render };
