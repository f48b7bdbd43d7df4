import { count } from "./Count.ts"

/** The texts of the pages about decisions. */
export const decisionText = {
  title: "Decisions",
  list: "Runs of the pipeline",
  help: "Every message that the rules have processed has a run. Open one to see what the rules and the assistant decided.",
  empty: "No message has been processed yet.",
  filtered: "No run matches these filters.",
  onlyContact: "Only messages of one contact are shown.",
  onlyLead: "Only messages of one lead are shown.",
  columns: {
    time: "Time",
    contact: "Contact",
    channel: "Channel",
    message: "Message",
    outcome: "Result",
    reason: "Reason"
  },
  erased: "Erased",
  outcomes: { sent: "Sent", drafted: "Draft for approval", not_sent: "No reply" },
  back: "All decisions",
  conversation: "Open the conversation",
  heading: (contact: string) => `Decision about the message of ${contact}`,
  missing: "An older version of Leadloom stored this run, so its explanation is incomplete.",
  noRun:
    "Leadloom has not decided about this message. It decides nothing about imported mail, your own messages, and texts such as STOP. A new message may still be waiting.",
  sections: {
    input: "1. Message",
    recognition: "2. Recognition",
    rules: "3. Rules",
    guardrails: "4. Guardrails",
    result: "5. Result",
    facts: "Facts",
    decision: "Steps",
    model: "Language model",
    replay: "What would happen today?"
  },
  noMessage: "The message was erased.",
  contactNew: (contact: string) =>
    `The address or number of the message was unknown, so the new contact ${contact} was created.`,
  contactKnown: (contact: string) => `The address or number of the message belongs to the known contact ${contact}.`,
  leadNew: "The contact had no open lead, so the message opened a new one.",
  leadKnown: (state: string) => `The message belongs to the open lead of the contact, which was ${state}.`,
  noLead: "The message belongs to no lead.",
  classified: (intent: string, urgency: string, sentiment: string, confidence: string) =>
    `The message is about ${intent}. Its urgency is ${urgency} and its tone is ${sentiment} (confidence ${confidence}).`,
  scored: (score: number, tier: string) => `The lead has ${score} of 100 points and is ${tier}.`,
  factors: "Reasons of the score",
  allDetails: "Show technical details: facts, steps and codes",
  details: "Reason",
  byRule: (name: string) => `By the rule “${name}”.`,
  fact: "Fact",
  value: "Value",
  matched: "Matched rules",
  noMatch: "No rule matched.",
  nearly: "Nearly matched rules",
  nearlyOne: (expected: string, actual: string) =>
    `One condition failed: “${expected}” was needed, but the value is ${actual}.`,
  nearlyNot: (expected: string) => `One condition failed: “${expected}” must not be true, but it is.`,
  nearlyAny: "One of these conditions would have sufficed:",
  others: (number: number) => `Show ${count(number, "other rule", "other rules")}`,
  ruleOutcomes: {
    matched: "matched",
    not_matched: "did not match",
    disabled: "is turned off",
    not_asked: "was not evaluated"
  },
  noGuardrails: "No guardrail checked this message, because no reply was written or no guardrail is configured.",
  guardrailOutcomes: {
    allow: "allows the reply",
    require_approval: "wants a person to approve the reply",
    block: "blocks the reply"
  },
  steps: {
    classify: "Classification",
    score: "Score",
    route: "Rules",
    reply: "Reply",
    guard: "Guardrails",
    act: "Actions"
  },
  stepOutcomes: { done: "done", skipped: "not needed", suppressed: "prevented", failed: "failed" },
  advice: (advice: string) => `What to do: ${advice}`,
  written: "The written reply",
  results: {
    sent: "The assistant released the reply for sending.",
    drafted: "The assistant wrote a draft. It is sent when a person approves it.",
    not_sent: "The assistant sent no reply."
  },
  actions: "Actions",
  actionOutcomes: { done: "done", skipped: "not carried out", failed: "failed" },
  noActions: "No rule requested an action.",
  models: { classification: "Classification", reply: "Reply" },
  modelUse: (model: string, calls: number, input: number, output: number) =>
    `${model}: ${count(calls, "request", "requests")}, ${count(input, "token", "tokens")} in, ${count(output, "token", "tokens")} out.`,
  noModel: "No language model was asked, so the decision cost nothing.",
  replayHelp: "Decides the message again with the current rules. Nothing is sent or stored, and no model is asked.",
  replay: "Try with the current rules",
  replaying: "Deciding again…",
  same: (version: number) => `The current rules (version ${version}) lead to the same decision.`,
  different: (version: number) => `The current rules (version ${version}) lead to another decision:`,
  parts: {
    classification: "Classification",
    score: "Score",
    matched_rules: "Matched rules",
    actions: "Actions",
    written: "Written reply",
    steps: "Steps"
  },
  none: "None"
} as const
