// What a person said to steps, and the words of a question that it becomes.

/**
 * Where the value of `now` is at a bound already nothing may change: then it is "cannot", and `meant` is the bound.
 * @typedef {{ kind: "cannot" | "hard" | "at_most" | "not_below", feature: string, value?: any, meant?: string, now?: any }} Limit
 */

export class Limits {
  constructor() {
    /** @type {Limit[]} */
    this.said = [];
  }

  /** One thing is said about a feature in each direction; "can't" says all there is. @param {Limit} limit */
  add(limit) {
    this.said = this.said.filter(
      (each) =>
        each.feature !== limit.feature ||
        (limit.kind !== "cannot" && each.kind !== "cannot" && each.kind !== limit.kind),
    );
    this.said.push(limit);
  }

  /** @param {string} kind @param {string} feature */
  remove(kind, feature) {
    this.said = this.said.filter((each) => each.kind !== kind || each.feature !== feature);
  }

  /** @param {string} kind @param {string} feature */
  has(kind, feature) {
    return this.said.some((each) => each.kind === kind && each.feature === feature);
  }

  /** @returns {{ fixed?: string[], hard?: string[], rules?: string }} */
  words() {
    const of = (/** @type {string} */ kind) =>
      this.said.filter((each) => each.kind === kind).map((each) => each.feature);
    const rules = this.said.flatMap((each) => rule(each) ?? []);
    return {
      ...(of("cannot").length && { fixed: of("cannot") }),
      ...(of("hard").length && { hard: of("hard") }),
      ...(rules.length && { rules: rules.join("\n") }),
    };
  }

  /** Which of them a rule of the service is. @param {string} text @param {string | null} feature */
  find(text, feature) {
    if (text.startsWith("FIXED ")) return this.said.find((each) => each.kind === "cannot" && each.feature === feature);
    const bare = (/** @type {string} */ rule) => rule.replace(/["\s]/g, "");
    return this.said.find((each) => bare(rule(each) ?? "-") === bare(text));
  }
}

/** A bound as PLAF has it. @param {Limit} limit */
function rule({ kind, feature, value }) {
  if (kind !== "at_most" && kind !== "not_below") return null;
  const name = `"${feature.replaceAll('"', '""')}"`;
  const literal = typeof value === "number" ? value : `'${String(value).replaceAll("'", "''")}'`;
  return `PLAF x_cf.${name} ${kind === "at_most" ? "<=" : ">="} ${literal}`;
}
