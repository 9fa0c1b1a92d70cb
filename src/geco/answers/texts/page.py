"""What the page says besides plans and sentences: what can be pressed, what is under way, what went wrong."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PageTexts:
    """One language; braces are filled in.

    Attributes
    ----------
    other : the name of the other language, in that language.
    you, yes_above, scores, then_of : the outcome as a number out of 100; then : any other.
    cannot, hard, at_most, not_below : what a person says to a step.
    said_cannot, said_hard, said_at_most, said_not_below : the same, told back.
    said_stays : a bound that leaves nothing to change.
    blocked_cannot, blocked_at_most, blocked_not_below : what stands in the way, as the person said it.
    blocked_fixed, blocked_up, blocked_down, blocked_rule : what stands in the way, as the rules have it.
    """

    title: str
    other: str
    you: str
    yes_above: str
    scores: str
    then: str
    then_of: str
    cannot: str
    hard: str
    at_most: str
    not_below: str
    at_most_of: str
    not_below_of: str
    ask_again: str
    cancel: str
    said_title: str
    said_cannot: str
    said_hard: str
    said_at_most: str
    said_not_below: str
    said_stays: str
    take_back: str
    start_over: str
    stays_own: str
    stays_more: str
    loading: str
    asking: str
    found_none: str
    none_left: str
    found_one: str
    found_some: str
    found_same: str
    say_so: str
    blocked_title: str
    blocked_cannot: str
    blocked_at_most: str
    blocked_not_below: str
    blocked_fixed: str
    blocked_up: str
    blocked_down: str
    blocked_rule: str
    blocked_not: str
    blocked_without: str
    looking_why: str
    reasons_title: str
    reasons_note: str
    reason: str
    no_reasons: str
    how: str
    how_text: str
    how_rules: str
    how_count: str
    strip: str
    strip_key: str
    keep: str
    keep_ask: str
    keep_instead: str
    keep_yes: str
    kept: str
    kept_not: str
    forget: str
    kept_title: str
    print: str
    share: str
    share_with: str
    share_note: str
    copy_this: str
    copy: str
    copied: str
    error_title: str
    error_gone: str
    error_kernel: str
    error_token: str
    error_busy: str
    try_again: str
    stale: str
    form_title: str
    form_note: str
    form_send: str
    form_missing: str
    form_choose: str
    not_a_number: str


ENGLISH_PAGE = PageTexts(
    title="What would change the decision",
    other="Deutsch",
    you="you: {number} of 100",
    yes_above="a yes begins above {number}",
    scores="Your case scores {now} of 100; a yes begins above {limit}",
    then="then {number}",
    then_of="then {number} of 100",
    cannot="I can’t",
    hard="Hard for me",
    at_most="At most …",
    not_below="Not below …",
    at_most_of="{name}: at most",
    not_below_of="{name}: not below",
    ask_again="Ask again",
    cancel="Cancel",
    said_title="What you told us",
    said_cannot="{name}: you can’t change it",
    said_hard="{name}: hard for you",
    said_at_most="{name}: at most {value}",
    said_not_below="{name}: not below {value}",
    said_stays="{said}. It is {now} already, so it stays as it is",
    take_back="Take back",
    start_over="Take everything back",
    stays_own="as you told us",
    stays_more="and {number} more",
    loading="Looking for plans …",
    asking="Looking for other plans …",
    found_none="No plan is left.",
    none_left="The decision was no, and with what you told us no plan is left.",
    found_one="One plan.",
    found_some="{number} plans.",
    found_same="The same plans: with this, too, they are the nearest.",
    say_so="Is a step not for you? Say so below it, and other plans are looked for.",
    blocked_title="What stands in the way",
    blocked_cannot="You said that you can’t change it: {name}",
    blocked_at_most="You said at most {value}: {name}",
    blocked_not_below="You said not below {value}: {name}",
    blocked_fixed="The rules leave it as it is: {name}",
    blocked_up="The rules let it rise only: {name}",
    blocked_down="The rules let it fall only: {name}",
    blocked_rule="A rule: {rule}",
    blocked_not="No limit of yours and no rule is to blame: nothing that was looked at would change the decision.",
    blocked_without="Without this a plan would be:",
    looking_why="Finding out what stands in the way …",
    reasons_title="Why was it a no?",
    reasons_note="These are reasons for the decision. The plans above are what would change it.",
    reason="{name}: {value}. Where the answer was yes, {against} is usual.",
    no_reasons="No single thing speaks against this case.",
    how="How these plans were found",
    how_text="They use only values that occur in the data.",
    how_rules="They keep these rules, which hold for everybody:",
    how_count="They keep all {rules} rules.",
    strip="{name} among others: from {low} to {high}; now {now}, then {then}",
    strip_key="Grey: others. ○ now, ● with this plan",
    keep="Keep this plan",
    keep_ask="Keep it on this device? Whoever uses this device can read it.",
    keep_instead="It takes the place of the plan that you kept before.",
    keep_yes="Yes, keep it",
    kept="Kept on this device.",
    kept_not="This device keeps nothing. Print the plan instead.",
    forget="Forget it",
    kept_title="The plan you kept",
    print="Print",
    share="Share",
    share_with="With my figures in the link",
    share_note="The link opens this page. It holds none of your figures unless you say so, and never your access: "
    "whoever opens it needs one of their own.",
    copy_this="Copy this link:",
    copy="Copy",
    copied="Copied.",
    error_title="That did not work",
    error_gone="The service cannot be reached. Nothing you told us is lost.",
    error_kernel="The notebook’s kernel does not answer. Wait until it is idle, or run the cell again.",
    error_token="This page was opened without a valid access. Open it again by the link that you were given.",
    error_busy="Many people are asking at the moment.",
    try_again="Try again",
    stale="These plans are from before; the service did not answer.",
    form_title="Your case",
    form_note="What you enter is sent to this service to find plans, and is not kept.",
    form_send="Show my plans",
    form_missing="not known",
    form_choose="Please choose one.",
    not_a_number="Please enter a number.",
)

GERMAN_PAGE = PageTexts(
    title="Was die Entscheidung ändern würde",
    other="English",
    you="Sie: {number} von 100",
    yes_above="ein Ja beginnt über {number}",
    scores="Ihr Fall hat {now} von 100 Punkten; ein Ja beginnt über {limit}",
    then="dann {number}",
    then_of="dann {number} von 100",
    cannot="Das kann ich nicht",
    hard="Fällt mir schwer",
    at_most="Höchstens …",
    not_below="Nicht unter …",
    at_most_of="{name}: höchstens",
    not_below_of="{name}: nicht unter",
    ask_again="Neu fragen",
    cancel="Abbrechen",
    said_title="Was Sie uns gesagt haben",
    said_cannot="{name}: können Sie nicht ändern",
    said_hard="{name}: fällt Ihnen schwer",
    said_at_most="{name}: höchstens {value}",
    said_not_below="{name}: nicht unter {value}",
    said_stays="{said}. Es ist schon {now}, also bleibt es, wie es ist",
    take_back="Zurücknehmen",
    start_over="Alles zurücknehmen",
    stays_own="wie Sie es gesagt haben",
    stays_more="und {number} weitere",
    loading="Pläne werden gesucht …",
    asking="Andere Pläne werden gesucht …",
    found_none="Es bleibt kein Plan.",
    none_left="Die Entscheidung war ein Nein, und mit dem, was Sie gesagt haben, bleibt kein Plan.",
    found_one="Ein Plan.",
    found_some="{number} Pläne.",
    found_same="Dieselben Pläne: Auch damit sind sie die nächsten.",
    say_so="Passt ein Schritt nicht? Sagen Sie es darunter; dann werden andere Pläne gesucht.",
    blocked_title="Was im Weg steht",
    blocked_cannot="Sie sagten, dass Sie es nicht ändern können: {name}",
    blocked_at_most="Sie sagten höchstens {value}: {name}",
    blocked_not_below="Sie sagten nicht unter {value}: {name}",
    blocked_fixed="Die Regeln lassen es, wie es ist: {name}",
    blocked_up="Die Regeln lassen es nur steigen: {name}",
    blocked_down="Die Regeln lassen es nur sinken: {name}",
    blocked_rule="Eine Regel: {rule}",
    blocked_not="Weder Ihre Grenzen noch eine Regel sind schuld: Nichts Geprüftes würde die Entscheidung ändern.",
    blocked_without="Ohne dies wäre ein Plan:",
    looking_why="Es wird gesucht, was im Weg steht …",
    reasons_title="Warum war es ein Nein?",
    reasons_note="Das sind Gründe für die Entscheidung. Die Pläne oben sind das, was sie ändern würde.",
    reason="{name}: {value}. Wo die Antwort ein Ja war, ist {against} üblich.",
    no_reasons="Nichts Einzelnes spricht gegen diesen Fall.",
    how="Wie diese Pläne gefunden wurden",
    how_text="Sie verwenden nur Werte, die in den Daten vorkommen.",
    how_rules="Sie halten diese Regeln ein, die für alle gelten:",
    how_count="Sie halten alle {rules} Regeln ein.",
    strip="{name} bei anderen: von {low} bis {high}; jetzt {now}, dann {then}",
    strip_key="Grau: andere. ○ jetzt, ● mit diesem Plan",
    keep="Diesen Plan behalten",
    keep_ask="Auf diesem Gerät behalten? Wer das Gerät benutzt, kann ihn lesen.",
    keep_instead="Er tritt an die Stelle des Plans, den Sie vorher behalten haben.",
    keep_yes="Ja, behalten",
    kept="Auf diesem Gerät behalten.",
    kept_not="Dieses Gerät behält nichts. Drucken Sie den Plan stattdessen.",
    forget="Vergessen",
    kept_title="Der Plan, den Sie behalten haben",
    print="Drucken",
    share="Teilen",
    share_with="Mit meinen Angaben im Link",
    share_note="Der Link öffnet diese Seite. Er enthält keine Ihrer Angaben, außer Sie wollen es, nie Ihren Zugang: "
    "Wer ihn öffnet, braucht einen eigenen.",
    copy_this="Diesen Link kopieren:",
    copy="Kopieren",
    copied="Kopiert.",
    error_title="Das hat nicht geklappt",
    error_gone="Der Dienst ist nicht erreichbar. Nichts von dem, was Sie gesagt haben, ist verloren.",
    error_kernel="Der Kernel des Notebooks antwortet nicht. Warten Sie, oder führen Sie die Zelle neu aus.",
    error_token="Diese Seite wurde ohne gültigen Zugang geöffnet. Öffnen Sie sie noch einmal über Ihren Link.",
    error_busy="Im Augenblick fragen viele.",
    try_again="Noch einmal versuchen",
    stale="Diese Pläne sind von vorher; der Dienst hat nicht geantwortet.",
    form_title="Ihr Fall",
    form_note="Was Sie eingeben, wird an diesen Dienst geschickt, um Pläne zu finden, und nicht behalten.",
    form_send="Meine Pläne zeigen",
    form_missing="unbekannt",
    form_choose="Bitte wählen Sie.",
    not_a_number="Bitte geben Sie eine Zahl ein.",
)

PAGES = {"en": ENGLISH_PAGE, "de": GERMAN_PAGE}
