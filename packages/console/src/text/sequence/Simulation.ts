import { count } from "../Count.ts"

/** The texts of the simulation of a sequence. */
export const simulationText = {
  title: "Simulation",
  help: "Shows what the sequence would have done in the past, next to what really happened. Contacts answer as they really did. Nothing is stored or sent.",
  unsaved: "The simulation uses your unsaved steps and conditions.",
  period: "Period",
  periods: { 7: "The last 7 days", 30: "The last 30 days", 90: "The last 90 days" },
  entry: "Who enters",
  entries: {
    real: "The contacts who really entered",
    segment: "The contacts of a segment",
    rule: "The contacts whose messages a rule matches"
  },
  choose: "Choose one",
  segment: "Segment",
  noSegments: "There are no segments. Save one on the page of contacts.",
  rule: "Rule",
  noRules: "No rule for messages starts this sequence.",
  max: "At most",
  maxContacts: (number: number) => count(number, "contact", "contacts"),
  start: "Start the simulation",
  running: "Simulating. This can take a minute…",
  stop: "Stop",
  stopped: "The simulation was stopped.",
  result: (entered: number, differing: number) =>
    `${count(entered, "contact", "contacts")} simulated. ${count(differing, "contact differs", "contacts differ")} from what really happened.`,
  empty: "Nobody enters the sequence in this period. Choose a longer period, or other contacts.",
  more: (max: number) =>
    `More contacts enter in the period. The first ${max.toLocaleString("en")} were simulated; choose a larger number for more.`,
  early: (time: string) =>
    `The simulation ended at ${time}, because it needs too many decisions. The numbers cover the time before it. Choose fewer contacts or a shorter period.`,
  undecided: (messages: number) =>
    `${count(messages, "message was", "messages were")} left out, because stored inputs or an answer of the model are missing.`,
  assumptions:
    "Assumed: the present names, addresses and segments; no pauses; and a contact who got no message in reality does not react to a simulated one.",
  totals: "Numbers of the simulation",
  totalNames: {
    enrolled: "Enrolments",
    running: "Running",
    completed: "Completed",
    stopped: "Stopped",
    held_out: "Held out",
    sent: "Messages",
    refused: "Refused steps"
  },
  stoppedBecause: (reason: string) => `Stopped: ${reason}`,
  number: "Number",
  contacts: "Contacts of the simulation",
  columns: {
    contact: "Contact",
    entered: "Entered",
    simulated: "Simulated",
    actual: "Actual",
    differs: "Differs"
  },
  differs: "differs",
  same: "same",
  notSimulated: "Would not have entered",
  notEntered: "Did not enter",
  next: (step: string, time: string) => `next: ${step}, ${time}`,
  showMore: "Show more contacts",
  shown: (number: number) => `${count(number, "contact", "contacts")} shown.`
} as const
