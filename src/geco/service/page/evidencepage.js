// The validator's page.

import { GecoEvidence } from "./evidence.js";
import { open } from "./pages.js";

open(/** @type {GecoEvidence} */ (document.querySelector("geco-evidence")), "evidence_title");
