// <geco-evidence>: what the explainer is made of, and a sample of the table explained as a job, answer by answer.

import { capital, h, round, say, shown } from "./dom.js";
import { GecoElement } from "./element.js";
import { ownRules } from "./rules.js";
import { errorPart, GONE, loadingPart } from "./states.js";
import { GecoSummary } from "./summary.js";

/** @import { Explanation, Texts, X, SummaryReply, JobReply } from "./types" */
/** @import { Service, Unanswered } from "./api.js" */

const LOOKS = 300; // milliseconds between two looks at a job
const MOST = 500;
const KEY = "geco.sample";

export class GecoEvidence extends GecoElement {
  constructor() {
    super();
    /** @type {any} */ this.made = null;
    /** @type {Unanswered | null} */ this.error = null;
    /** @type {JobReply | null} */ this.job = null;
    /** @type {Explanation[] | null} */ this.answers = null;
    /** @type {SummaryReply | null} */ this.summary = null;
    this.first = 0;
    this.count = 60;
    this.by = "";
    this.table = new GecoSummary();
  }

  async ask() {
    const { api } = this;
    if (!api) return;
    this.error = null;
    this.show();
    try {
      const [texts, schema] = await Promise.all([api.texts(this.language), api.schema(this.language)]);
      [this.texts, this.schema] = [texts, schema];
      this.tell("geco-ready", { texts });
      this.show();
      const [x] = (await api.ask("/v1/rows?first=0&count=1")).rows;
      this.made = (await api.ask("/v1/explain", { x, k: 1 })).made;
      this.show();
      await this.again();
    } catch (error) {
      this.failed(/** @type {Unanswered} */ (error));
    }
  }

  async failed(/** @type {Unanswered} */ error) {
    if (error.kind === "old") return;
    this.texts ??= (await this.api?.texts(this.language).catch(() => null)) ?? null;
    this.busy = false;
    this.error = error;
    this.show();
    this.tell("geco-error", { kind: error.kind, detail: error.message });
  }

  /** The sample as a job. */
  begin() {
    return this.follow(async (api, rows) => {
      const job = await api.ask("/v1/jobs", { explain_many: { rows, k: 1 } });
      sessionStorage.setItem(KEY, JSON.stringify({ id: job.id, first: this.first, count: this.count, by: this.by }));
      return job;
    });
  }

  /** The sample of before, for whoever comes back from the desk; the service forgets a job some time after its end. */
  async again() {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    if (!kept || this.busy || this.answers) return;
    [this.first, this.count, this.by] = [kept.first, kept.count, kept.by];
    await this.follow((api) =>
      api.ask(`/v1/jobs/${kept.id}`).catch((/** @type {Unanswered} */ error) => {
        if (error.kind !== "asked") throw error;
        sessionStorage.removeItem(KEY);
        return null;
      }),
    );
  }

  /** A job is looked at until it ends, then its summary. @param {(api: Service, rows: X[]) => Promise<JobReply | null>} found */
  async follow(found) {
    const api = /** @type {Service} */ (this.api);
    [this.busy, this.answers, this.summary, this.error] = [true, null, null, null];
    this.show();
    try {
      const { rows } = await api.ask(`/v1/rows?first=${this.first}&count=${this.count}`);
      this.job = await found(api, rows);
      while (this.job && ["waiting", "running"].includes(this.job.state)) {
        await new Promise((after) => setTimeout(after, LOOKS));
        if (this.job) this.job = await api.ask(`/v1/jobs/${this.job.id}`);
        this.show();
      }
      if (this.job?.state === "done") await this.done(api, rows, this.job);
      this.job = null;
      this.busy = false;
      this.show();
    } catch (error) {
      this.failed(/** @type {Unanswered} */ (error));
    }
  }

  /** @param {Service} api @param {X[]} rows @param {JobReply} job */
  async done(api, rows, job) {
    this.answers = job.result?.explanations ?? [];
    this.show();
    this.summary = await api.ask("/v1/summary", { rows, k: 1, ...(this.by && { by: this.by }) });
    this.table.language = this.language;
    this.table.data = { summary: /** @type {SummaryReply} */ (this.summary), texts: this.texts, schema: this.schema };
  }

  cancel() {
    const { job, api } = this;
    this.job = null;
    sessionStorage.removeItem(KEY);
    if (job) api?.ask(`/v1/jobs/${job.id}`, undefined, "DELETE").catch(() => {});
  }

  /** @returns {Node[]} */
  parts() {
    const { texts, schema, error } = this;
    if (error && (!texts || error.kind !== "asked"))
      return [errorPart(error, texts ?? GONE[this.language], () => this.ask())];
    if (!texts || !schema) return [loadingPart("")];
    return [
      h("h1", {}, texts.evidence_title),
      error ? h("p", { class: "error", role: "alert" }, error.message) : "",
      h("section", { class: "card" }, h("h2", {}, texts.made_of), this.madePart(texts), ownRules(schema.rules, texts)),
      h("section", { class: "card" }, h("h2", {}, texts.sample), this.samplePart(texts)),
      this.summary ? h("section", { class: "card" }, h("h2", {}, texts.summary), this.table) : "",
      this.answers
        ? h("section", { class: "card", part: "answers" }, h("h2", {}, texts.answers), this.answersPart(this.answers, texts))
        : "",
    ].map((part) => (typeof part === "string" ? document.createTextNode(part) : part));
  }

  /** @param {Texts} texts */
  madePart(texts) {
    const { schema, made } = this,
      print = made?.fingerprint ?? {};
    const rows = [
      [texts.counts_as_yes, schema?.target],
      [texts.rows_of_d, shown(schema?.rows, this.language)],
      [texts.features_of_d, schema?.features.length],
      [texts.rules, schema?.rules.length],
      [texts.model, schema?.model],
      [texts.asked_again, schema?.confirms ? texts.says_yes : texts.says_no],
      ...(made
        ? [
            [texts.version, made.version],
            [texts.method, made.settings?.method],
            [texts.digest_model, print.model],
            [texts.digest_is, print.model_is],
            [texts.digest_data, print.data],
            [texts.digest_rules, print.rules],
          ]
        : []),
    ];
    return h(
      "table",
      { class: "facts" },
      h(
        "tbody",
        {},
        ...rows
          .filter((row) => row[1] !== undefined)
          .map(([name, value]) =>
            h("tr", {}, h("th", { scope: "row" }, String(name)), h("td", { class: "mono" }, String(value))),
          ),
      ),
    );
  }

  /** @param {Texts} texts */
  samplePart(texts) {
    const first = h("input", { type: "number", min: 0, value: this.first, "data-key": "first" });
    const count = h("input", { type: "number", min: 1, max: MOST, value: this.count, "data-key": "count" });
    const groups = (this.schema?.features ?? []).filter((each) => each.values && each.distinct <= 12);
    const by = h(
      "select",
      { "data-key": "by" },
      h("option", { value: "" }, texts.no_groups),
      ...groups.map((each) => h("option", { value: each.name, selected: each.name === this.by }, each.label)),
    );
    const form = h(
      "form",
      { class: "ask" },
      h("label", {}, texts.first_row, first),
      h("label", {}, texts.how_many, count),
      h("label", {}, texts.group_by, by),
      h("button", { class: "main", disabled: this.busy }, texts.explain_sample),
    );
    form.addEventListener("input", () => {
      [this.first, this.count, this.by] = [Number(first.value), Math.min(MOST, Number(count.value)), by.value];
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.begin();
    });
    const done = this.job?.progress?.rows_done ?? 0,
      begun = done > 0;
    const under =
      this.busy &&
      h(
        "div",
        { class: "row", role: "status" },
        h("progress", { max: this.count, value: begun ? done : null, "aria-label": texts.explain_sample }),
        begun ? say(texts.rows_done, { done, of: this.count }) : texts.job_waits,
        h("button", { type: "button", class: "quiet", onclick: () => this.cancel() }, texts.cancel),
      );
    return h("div", {}, h("p", { class: "soft small" }, texts.sample_note), form, under);
  }

  /** @param {Explanation[]} answers @param {Texts} texts */
  answersPart(answers, texts) {
    const found = answers.filter((each) => each.counterfactuals.length);
    const good = answers.filter((each) => each.status === "already_good");
    const proved = found.filter((each) => each.proven),
      gaps = found.map((each) => each.gap).filter((gap) => typeof gap === "number" && gap > 0);
    const confirmed = found.filter((each) => each.counterfactuals[0].confirmed);
    const row = (/** @type {Explanation} */ each, /** @type {number} */ place) => {
      const number = this.first + place,
        way = each.counterfactuals[0];
      const changes = way
        ? way.changes.map((one) => this.features().get(one.feature)?.label ?? one.feature).join(", ")
        : "–";
      return h(
        "tr",
        {},
        h("td", {}, h("a", { href: `../desk/#row=${number}` }, String(number))),
        h("td", {}, texts[`is_${each.status}`] ?? each.status),
        h("td", {}, round(each.outcome, this.language)),
        h("td", {}, way ? round(way.distance, this.language) : "–"),
        h("td", {}, way ? (each.proven ? texts.proven : way.confirmed ? texts.confirmed : texts.not_confirmed) : "–"),
        h("td", {}, changes),
      );
    };
    const head = [texts.row, texts.status, texts.outcome, texts.distance, texts.sure, texts.changes].map((text) =>
      h("th", { scope: "col" }, capital(text)),
    );
    return h(
      "div",
      {},
      h(
        "p",
        {},
        say(texts.shares, {
          found: found.length,
          of: answers.length,
          good: good.length,
          asking: answers.length - good.length,
          proved: proved.length,
          confirmed: confirmed.length,
          gaps: gaps.length,
        }),
      ),
      h(
        "div",
        { class: "scroll tall", tabindex: 0, role: "region", "aria-label": texts.answers },
        h("table", {}, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...answers.map(row))),
      ),
    );
  }
}

customElements.define("geco-evidence", GecoEvidence);
