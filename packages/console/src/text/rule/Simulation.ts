import { count } from "../Count.ts"

/** The texts of the simulation of a rule. */
export const ruleSimulationText = {
  title: "Simulation",
  help: "Shows for whom a rule with a trigger would have run in the past, and what it would have done, next to what really happened. Nothing is stored or sent.",
  none: "No rule has a trigger other than a message. Back-test compares rules for messages.",
  messages: "Rules for messages are not offered here. Back-test compares them.",
  unsaved: "The simulation uses your unsaved changes of this rule.",
  outdated: "The rule has changed since this simulation. Start it again.",
  rule: "Rule",
  max: "At most",
  maxCauses: (number: number) => count(number, "event", "events"),
  result: (causes: number, differing: number) =>
    `${count(causes, "event", "events")} simulated. ${count(differing, "event differs", "events differ")} from what really happened.`,
  empty: "Nothing in this period would have started the rule. Choose a longer period.",
  more: "The period has more events than were simulated. Choose a larger number or a shorter period.",
  early: (time: string) =>
    `The simulation ended at ${time}, because it needs too many decisions. The numbers cover the time before it.`,
  totals: "Numbers of the simulation",
  totalNames: {
    causes: "Events",
    ran: "The rule ran",
    not_matched: "The conditions were not met",
    prevented: "The rule did not run",
    waiting: "Waiting"
  },
  action: (name: string) => `Action: ${name}`,
  causes: "Events of the simulation",
  columns: { number: "Number", cause: "Event", simulated: "Simulated", actual: "Actual", differs: "Differs" },
  due: (time: string) => `due ${time}`,
  notDecided: "Not simulated",
  noRun: "No run",
  differs: "differs",
  same: "same",
  outcomes: { done: "done", skipped: "skipped", failed: "failed" },
  showMore: "Show more events",
  shown: (number: number) => `${count(number, "event", "events")} shown.`
} as const
