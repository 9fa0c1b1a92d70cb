// The officer's page.

import { GecoDesk } from "./desk.js";
import { open } from "./pages.js";

const desk = /** @type {GecoDesk} */ (document.querySelector("geco-desk"));
const link = open(desk, "desk_title");
const x = link.get("x");
if (x) desk.x = JSON.parse(x);
else if (link.get("row")) desk.pickRow(Number(link.get("row")));
