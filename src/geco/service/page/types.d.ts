// What the service answers, as far as the page reads it. Checked by `make check-page`; never sent to a browser.
export type X = Record<string, any>;
export interface Change {
  feature: string;
  before: any;
  after: any;
  required_by: string | null;
  categorical: boolean;
}
export interface Range {
  low: any;
  high: any;
}
export interface Way {
  values: X;
  changes: Change[];
  distance: number;
  outcome: number;
  confirmed: boolean;
  ranges: Record<string, Range>;
  steps?: { changes: Change[]; outcome: number }[];
}
export interface Explanation {
  x: X;
  outcome: number;
  target: string;
  status: string;
  reason: string;
  counterfactuals: Way[];
  proven: boolean | null;
  gap: number | null;
  made: any;
}
export interface Step {
  feature: string;
  text: string;
  now: string;
  also: string;
  rule: string;
}
export interface Plan {
  title: string;
  sentence: string;
  steps: Step[];
  outcome: string;
  confirmed: boolean;
  sure: string[];
}
export interface Stays {
  feature: string;
  name: string;
  value: string;
  why: string;
}
export interface Plans {
  language: string;
  decision: string;
  outcome: string;
  plans: Plan[];
  stays_title: string;
  stays: Stays[];
}
export interface Told {
  explanation: Explanation;
  plans: Plans;
  limit: number | null;
  limit_told: string | null;
  rules?: string[];
  texts?: Texts;
  schema?: Schema;
}
export interface Counted {
  value: any;
  count: number;
}
export interface Feature {
  name: string;
  label: string;
  unit: string | null;
  names: Record<string, string>;
  de: Record<string, any> | null;
  type: string;
  kind: string;
  order: string[] | null;
  group: string | null;
  fixed: boolean;
  only_up: boolean;
  only_down: boolean;
  may_be_missing: boolean;
  used: boolean;
  missing: number;
  minimum: any;
  maximum: any;
  distinct: number;
  values: Counted[] | null;
  histogram: { edges: number[]; counts: number[] } | null;
}
export interface Schema {
  target: string;
  model: string;
  confirms: boolean;
  rows: number;
  keyed: boolean;
  features: Feature[];
  groups: string[][];
  rules: string[];
}
export interface Blocking {
  rule: string;
  feature: string | null;
  text: string;
  then: string;
}
export interface ObstaclesReply {
  status: string;
  give_up: string[];
  obstacles: any[];
  unsettled: string[];
  told: { blocking: Blocking[]; priced: Blocking[] };
}
export interface ReasonsReply {
  good: boolean;
  reasons: any[];
  told: string[];
}
export interface WhatIfReply {
  x: X;
  values: X;
  changes: Change[];
  outcome: number;
  good: boolean;
  target: string;
  allowed: boolean;
  broken: string[];
  missing: string[];
  outside: string[];
  dragged: Change[];
  repaired: X | null;
  told: { outside: string[] };
}
export interface GroupSummary {
  name: string; people: number; asking: number; already_good: number; failed: number; helped: number | null; none_found: number | null;
  cost: Record<string, number | null>; moves: { feature: string; people: number }[];
}
export interface SummaryReply { everyone: GroupSummary; by: string | null; groups: GroupSummary[]; differences: Record<string, any>[]; asked: number }
export interface JobReply { id: string; state: string; progress: { rows_done?: number } | null; result: { explanations: Explanation[] } | null }
export interface Allowed {
  name: string;
  value: any;
  may_change: boolean;
  minimum: any;
  maximum: any;
  values: Counted[] | null;
}
export interface Diagnostic {
  message: string;
  help: string | null;
  line: number;
  column: number;
  end_line: number;
  end_column: number;
  source_line: string;
}
export type Texts = Record<string, string>;
/** What anywidget gives to `render`, as far as it is used. */
export interface WidgetModel {
  get(name: string): any;
  send(content: object): void;
  on(event: string, heard: (content: any) => void): void;
  off(event: string, heard: (content: any) => void): void;
}
export interface KernelReply { id: string; status: number; type: string; text: string }
declare global {
  const SOURCES: Record<string, string>;
}
