// The plan that a person keeps on this device; without storage (private windows, other policies) nothing is kept.

/** @import { Plan } from "./types" */

const KEY = "geco.kept";

export class Kept {
  /** @returns {{ plan: Plan } | null} */
  read() {
    try {
      const kept = JSON.parse(localStorage.getItem(KEY) ?? "null");
      return Array.isArray(kept?.plan?.steps) ? kept : null;
    } catch {
      return null;
    }
  }

  /** @param {Plan} plan @returns {boolean} whether it is kept */
  write(plan) {
    try {
      localStorage.setItem(KEY, JSON.stringify({ plan }));
      return true;
    } catch {
      return false;
    }
  }

  forget() {
    try {
      localStorage.removeItem(KEY);
    } catch {
      /* then there was none */
    }
  }
}
