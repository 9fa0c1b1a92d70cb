// The service: one question at a time of each kind, a newer one takes the place of an older one.

/** @import { Told, Schema, Feature, Texts, X, ObstaclesReply, ReasonsReply } from "./types" */

/** Why there is no answer; `kind` is "gone", "kernel" (that of a notebook), "token", "busy", "old" (a newer question took its place) or "asked". */
export class Unanswered extends Error {
  /** @param {string} kind @param {string} detail @param {any} [document] */
  constructor(kind, detail, document) {
    super(detail);
    this.kind = kind;
    this.document = document;
  }
}

export class Service {
  /** @param {string} url @param {string | null} token */
  constructor(url, token) {
    this.base = url;
    this.url = url.replace(/\/$/, "");
    this.token = token;
    this.seconds = 20;
    this.unreached = "gone";
    /** @type {Map<string, AbortController>} */
    this.underWay = new Map();
    /** @type {Map<string, Promise<any>>} */
    this.kept = new Map();
  }

  /** @param {string} language @returns {Promise<Texts>} */
  texts(language) {
    return this.once(`/texts/${language}`);
  }
  /** With the words of the language. @param {string} language @returns {Promise<Schema>} */
  async schema(language) {
    const schema = await this.once("/v1/schema");
    const told = (/** @type {Feature} */ each) =>
      language === "de" && each.de ? { ...each, ...each.de, label: each.de.label ?? each.label } : each;
    return { ...schema, features: schema.features.map(told) };
  }
  /** @param {object} asked @returns {Promise<Told>} */
  plans(asked) {
    return this.ask("/v1/plans", asked);
  }
  /** @param {object} asked @returns {Promise<ObstaclesReply>} */
  obstacles(asked) {
    return this.ask("/v1/obstacles", asked);
  }
  /** @param {object} asked @returns {Promise<ReasonsReply>} */
  reasons(asked) {
    return this.ask("/v1/reasons", asked);
  }

  /** What is always the same is asked for once; a failure is not kept. @param {string} path */
  once(path) {
    const found = this.kept.get(path) ?? this.ask(path);
    this.kept.set(path, found);
    found.catch(() => this.kept.delete(path));
    return found;
  }

  /** @param {string} path @param {object} [body] @param {string} [method] @returns {Promise<any>} */
  async ask(path, body, method = body ? "POST" : "GET") {
    if (body) this.underWay.get(path)?.abort("old");
    const control = new AbortController();
    if (body) this.underWay.set(path, control);
    const timer = setTimeout(() => control.abort("slow"), 1000 * this.seconds);
    try {
      return await this.answer(await this.send(path, body, method, control.signal));
    } catch (error) {
      if (error instanceof Unanswered) throw error;
      throw new Unanswered(control.signal.reason === "old" ? "old" : this.unreached, "");
    } finally {
      clearTimeout(timer);
      if (this.underWay.get(path) === control) this.underWay.delete(path);
    }
  }

  /** @param {string} path @param {object | undefined} body @param {string} method @param {AbortSignal} signal */
  send(path, body, method, signal) {
    return fetch(this.url + path, this.request(body, method, signal));
  }

  /** @param {object | undefined} body @param {string} method @param {AbortSignal} signal @returns {RequestInit} */
  request(body, method, signal) {
    /** @type {Record<string, string>} */
    const headers = this.token ? { Authorization: `Bearer ${this.token}` } : {};
    if (body) headers["Content-Type"] = "application/json";
    return {
      method,
      headers,
      signal,
      body: body && JSON.stringify(body),
      credentials: "omit",
      referrerPolicy: "no-referrer",
    };
  }

  /** @param {Response} response */
  async answer(response) {
    if (response.ok)
      return response.headers.get("content-type")?.startsWith("text/") ? response.text() : response.json();
    const problem = await response.json().catch(() => ({}));
    const kinds = /** @type {Record<number, string>} */ ({ 401: "token", 403: "token", 429: "busy", 503: "busy" });
    throw new Unanswered(kinds[response.status] ?? "asked", problem.detail ?? response.statusText, problem);
  }
}
