// The look of all elements, as one sheet: calm, printed matter rather than dashboard. Whoever embeds an element sets
// the variables --geco-ink, --geco-yes and so on; each has a value for light and for dark.

const TEXT = `
:host {
  --ink: var(--geco-ink, light-dark(#1b1f24, #eceff3)); --soft: var(--geco-soft, light-dark(#555e69, #a5aeb9));
  --line: var(--geco-line, light-dark(#dfe3e8, #333b45)); --edge: light-dark(#8a939d, #6f7985);
  --card: var(--geco-card, light-dark(#ffffff, #1c2229));
  --yes: var(--geco-yes, light-dark(#0b6b50, #4fc9a2)); --yes-soft: light-dark(#cfe8df, #1d4639);
  --no: var(--geco-no, light-dark(#a3261b, #f0938a)); --rule: var(--geco-rule, light-dark(#7a4f00, #e2b45a));
  --rule-soft: light-dark(#fbf2df, #352a14); --bars: light-dark(#d3d9df, #3a444f); --on-yes: light-dark(#ffffff, #08110e);
  --radius: var(--geco-radius, 12px);
  display: block; container-type: inline-size; color: var(--ink); font-variant-numeric: tabular-nums; overflow-wrap: anywhere;
}
:host([hidden]), [hidden] { display: none !important; }
* { box-sizing: border-box; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .25rem 0 .5rem; text-wrap: balance; overflow-wrap: break-word; }
h2 { font-size: 1.1rem; margin: 2rem 0 .25rem; } .card > h2, .card > header > h2 { font-size: 1.05rem; margin: 0; }
p { margin: .25rem 0 .75rem; } .soft { color: var(--soft); } small, .small { font-size: .85rem; }
.no { color: var(--no); } .yes { color: var(--yes); }
.top { display: flex; justify-content: flex-end; gap: .5rem; min-height: 2.5rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: var(--radius); padding: 1rem; margin: .75rem 0; }
.card > header { display: flex; justify-content: space-between; align-items: baseline; gap: 1rem; }
.card > header small { white-space: nowrap; }
.outcome { position: relative; height: 3.9rem; margin: 1rem 0 1.5rem; }
.outcome .track { position: absolute; inset: 1.6rem 0 auto; height: 10px; border-radius: 5px; background: var(--bars); overflow: hidden; }
.outcome .track i { position: absolute; inset: 0 0 0 auto; background: var(--yes-soft); }
.outcome .pin { position: absolute; top: 1.3rem; width: 4px; height: 20px; margin-left: -2px; border-radius: 2px; background: var(--ink); }
.outcome span { position: absolute; font-size: .8rem; white-space: nowrap; }
.outcome .above { top: 0; } .outcome .below { top: 2.6rem; color: var(--soft); }
.step { padding: .75rem 0; border-top: 1px solid var(--line); } .card > header + .step { border-top: 0; padding-top: .5rem; }
.step strong { font-weight: 600; } .step .from { color: var(--soft); font-size: .9rem; white-space: nowrap; }
.strip { display: block; width: 100%; height: 40px; margin: .4rem 0 .1rem; overflow: visible; }
.strip rect { fill: var(--bars); } .strip .base { stroke: var(--line); } .strip .range { stroke: var(--yes); stroke-width: 5; stroke-linecap: round; }
.strip .now { fill: var(--card); stroke: var(--ink); stroke-width: 2; } .strip .then { fill: var(--yes); }
.row { display: flex; flex-wrap: wrap; gap: .4rem; margin-top: .5rem; align-items: center; }
button, .button { font: inherit; font-size: .88rem; color: var(--ink); background: none; border: 1px solid var(--edge); border-radius: 999px; padding: .45rem .9rem; min-height: 2.6rem; cursor: pointer; }
button:hover { border-color: var(--ink); } button[aria-pressed="true"] { border-color: var(--no); color: var(--no); }
button.main { background: var(--yes); border-color: var(--yes); color: var(--on-yes); } button.quiet { border-color: transparent; text-decoration: underline; text-underline-offset: 3px; }
button:disabled { opacity: .55; cursor: default; }
:focus-visible { outline: 3px solid var(--yes); outline-offset: 2px; }
.rule { background: var(--rule-soft); color: var(--rule); border-radius: 8px; padding: .4rem .65rem; font-size: .88rem; margin: .4rem 0 0; }
.sure { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: .75rem 0 0; padding: 0; list-style: none; font-size: .85rem; color: var(--soft); }
.sure .good::before { content: "✓ "; color: var(--yes); font-weight: 700; } .sure .open::before { content: "△ "; color: var(--rule); }
ul.stays, ul.said { list-style: none; padding: 0; margin: .5rem 0; }
ul.stays li, ul.said li { display: flex; justify-content: space-between; align-items: center; gap: 1rem; padding: .4rem 0; border-top: 1px solid var(--line); }
ul.stays li span + span { color: var(--soft); text-align: right; font-size: .9rem; max-width: 50%; } ul.said button { white-space: nowrap; } ul.down li { flex-direction: column; align-items: flex-start; gap: .4rem; padding: .7rem 0; } ul.said .then { display: block; margin-top: .2rem; } ul.said + .quiet { padding-left: 0; } ul.said strong { font-weight: 600; }
details { border-top: 1px solid var(--line); padding: .6rem 0; } summary { cursor: pointer; font-weight: 600; min-height: 2.5rem; display: flex; align-items: center; gap: .5rem; }
summary::before { content: "▸"; color: var(--soft); } details[open] > summary::before { content: "▾"; }
details li { margin: .3rem 0; }
.busy { opacity: .55; transition: opacity .12s .15s; } @media (prefers-reduced-motion: reduce) { .busy { transition: none; } }
.notice { border-left: 4px solid var(--rule); background: var(--rule-soft); border-radius: 0 8px 8px 0; padding: .6rem .9rem; margin: .75rem 0; }
.notice.bad { border-color: var(--no); } .notice p:last-child { margin-bottom: 0; }
.state { min-height: 1.5rem; font-size: .9rem; color: var(--soft); margin: 0; }
.ask { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; margin-top: .6rem; } label { font-size: .9rem; } label.check { display: flex; gap: .5rem; align-items: center; min-height: 2.5rem; }
input, select, textarea { font: inherit; color: var(--ink); background: var(--card); border: 1px solid var(--edge); border-radius: 8px; padding: .4rem .6rem; min-height: 2.6rem; width: 100%; }
input[type="checkbox"], input[type="range"] { width: auto; min-height: auto; accent-color: var(--yes); } .ask input { width: 10rem; display: block; } .ask .error { flex-basis: 100%; margin: 0; } .ask + details { margin-top: .75rem; } .at-case label:has(input) { max-width: 9rem; } .at-case .ask input { width: 9rem; }
.step .ask input { width: 6.5rem; margin-top: .2rem; } .step .ask .quiet { padding-inline: .4rem; }
.fields { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: .8rem 1rem; margin: 1rem 0; } .fields label { display: block; }
.bone { background: var(--bars); border-radius: 6px; height: 1rem; margin: .6rem 0; opacity: .6; } .bone.short { width: 45%; }
.desk { display: grid; grid-template: "case ways rules" auto "try ways rules" 1fr / 17rem minmax(0, 1fr) 17rem; gap: 0 1rem; align-items: start; } .desk h2 { margin: 0 0 .5rem; font-size: 1rem; }
.at-case { grid-area: case; } .at-ways { grid-area: ways; } .at-try { grid-area: try; } .at-rules { grid-area: rules; }
@container (max-width: 66rem) { .desk { grid-template: "case ways" auto "try ways" auto "try rules" 1fr / 17rem minmax(0, 1fr); } }
@container (max-width: 42rem) { .desk { grid-template: "case" auto "ways" auto "try" auto "rules" auto / minmax(0, 1fr); } }
.field { display: grid; grid-template-columns: 1fr 7rem; gap: .1rem .75rem; padding: .45rem 0; border-top: 1px solid var(--line); font-size: .9rem; align-items: center; } .field label:has(+ select), .field select, .field input[type="range"], .field small { grid-column: 1 / -1; } .field .number { text-align: right; min-height: 2rem; padding: .15rem .5rem; } .field input[type="range"] { width: 100%; min-height: 1.6rem; }
.verdict { min-height: 5.5rem; } .verdict p { margin: 0 0 .3rem; } .verdict strong { font-size: 1.1rem; } button.small { min-height: 2rem; padding: .2rem .7rem; font-size: .82rem; text-align: left; border-radius: 10px; }
.lights { list-style: none; padding: 0; margin: .75rem 0 0; font: .78rem/1.45 ui-monospace, monospace; } .lights li { padding: .25rem 0 .25rem 1.2rem; position: relative; border-top: 1px solid var(--line); } .lights li::before { content: "●"; position: absolute; left: 0; color: var(--yes); } .lights li.broken { color: var(--no); } .lights li.broken::before { content: "▲"; color: var(--no); }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .88rem; } th { text-align: left; font-weight: 600; } td, th { padding: .4rem .4rem; border-top: 1px solid var(--line); vertical-align: top; min-width: 4.6rem; overflow-wrap: normal; } td:first-child, th:first-child { padding-left: 0; } tr.figure > * { color: var(--soft); font-weight: 400; font-size: .82rem; } thead th, thead td { border-top: 0; font-weight: 500; } thead button { margin-top: .3rem; }
td.then { background: color-mix(in srgb, var(--yes-soft) 45%, transparent); font-weight: 600; } .strip text { font-size: 8px; font-weight: 700; fill: var(--ink); text-anchor: middle; } .spread > td { border-top: 0; padding-top: 0; } .spread .strip { max-width: 26rem; height: auto; margin: 0; } td small { display: block; font-weight: 400; }
.tall { max-height: 32rem; overflow-y: auto; } td a { display: inline-flex; align-items: center; min-width: 2rem; min-height: 1.5rem; } .facts td { overflow-wrap: anywhere; } .facts th { width: min(14rem, 38%); } .ask select { min-width: 10rem; } a { color: var(--yes); } progress { accent-color: var(--yes); }
.badge { display: inline-block; background: var(--rule-soft); color: var(--rule); border-radius: 6px; padding: 0 .4rem; font-size: .78rem; font-weight: 500; } td .badge { display: block; line-height: 1.3; padding: .15rem .3rem; margin-top: .2rem; }
ul.plain { list-style: none; padding: 0; margin: 0; font-size: .9rem; } ul.plain li { padding: .4rem 0; border-top: 1px solid var(--line); } ul.plain li:first-child { border: 0; }
.stair { width: 100%; max-height: 130px; } .stair text { font-size: 11px; fill: var(--soft); paint-order: stroke; stroke: var(--card); stroke-width: 4px; } .stair path { fill: none; stroke: var(--ink); stroke-width: 2; } .stair .limit { stroke: var(--yes); stroke-dasharray: 4 3; }
.tradeoffs { width: 100%; max-height: 15rem; } .tradeoffs .axis { fill: none; stroke: var(--edge); } .tradeoffs text { font-size: 9px; fill: var(--soft); } .dot { cursor: pointer; } .dot line { stroke: var(--yes); } .dot circle { fill: var(--yes); stroke: var(--card); } .dot:hover circle { fill: var(--ink); } .tradeoffs .dot text { fill: var(--on-yes); text-anchor: middle; font-weight: 700; }
.points { padding-left: 1.6rem; margin: .5rem 0 0; font-size: .88rem; } .points li { padding: .15rem 0; } .points button { text-align: left; border-radius: 10px; min-height: 2rem; padding: .2rem .7rem; margin-right: .5rem; }
.diagnostics { white-space: pre-wrap; color: var(--no); margin: .4rem 0 0; font: .8rem/1.4 ui-monospace, monospace; } textarea.mono { font: .85rem/1.45 ui-monospace, monospace; }
.error { color: var(--no); font-size: .88rem; margin: .25rem 0 0; }
code, .mono { font: .85em/1.45 ui-monospace, "SFMono-Regular", monospace; }
@media (pointer: coarse) { button.small, .points button, .field .number, .field input[type="range"] { min-height: 2.6rem; } td a { display: inline-flex; align-items: center; min-height: 2.6rem; min-width: 2.6rem; } }
@media print { .row, .top, .said button, .quiet, .state, .hint { display: none !important; } .card { break-inside: avoid; border-color: #999; } details:not([open]) { display: none; } }
`;

/** @type {CSSStyleSheet | undefined} */
let sheet;

/** The sheet, made once per page. @returns {CSSStyleSheet} */
export function style() {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(TEXT);
  }
  return sheet;
}
