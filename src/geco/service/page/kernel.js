// The kernel of a notebook in place of a service: the same questions, as messages of a widget.

import { Service } from "./api.js";

/** @import { WidgetModel, KernelReply } from "./types" */

export class Kernel extends Service {
  /** @param {WidgetModel} model */
  constructor(model) {
    super("", null);
    this.model = model;
    this.seconds = 120; // it answers nothing while a cell runs
    this.unreached = "kernel";
    this.view = Math.random().toString(36).slice(2); // all views of a widget hear all answers
    this.asked = 0;
    /** @type {Map<string, (reply: KernelReply) => void>} */ this.waiting = new Map();
    /** @type {Map<string, Promise<void>>} */ this.before = new Map();
    this.hear = (/** @type {KernelReply} */ reply) => this.waiting.get(reply.id)?.(reply);
    model.on("msg:custom", this.hear);
  }

  /** Nothing is heard any more. */
  end() {
    this.model.off("msg:custom", this.hear);
  }

  /** They came with the widget, so that it can speak while the kernel does not. @param {string} language */
  async texts(language) {
    return this.model.get("_texts")[language];
  }

  /**
   * One question of a kind after the other: while one is on its way, only the newest of those that wait is sent.
   * @param {string} path @param {object | undefined} body @param {string} method @param {AbortSignal} signal
   */
  async send(path, body, method, signal) {
    /** @type {Promise<never>} */
    const cut = new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    cut.catch((why) => why === "slow" && this.before.delete(path));
    await Promise.race([this.before.get(path), cut]);
    const id = `${this.view}.${this.asked++}`;
    /** @type {Promise<KernelReply>} */ const reply = new Promise((resolve) => this.waiting.set(id, resolve));
    const answered = reply.then(() => void this.waiting.delete(id));
    this.before.set(path, answered);
    this.model.send({ id, path, method, body: body ?? null });
    const { status, type, text } = await Promise.race([reply, cut]);
    return new Response(text, { status, headers: { "content-type": type } });
  }
}
