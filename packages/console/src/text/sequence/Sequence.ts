import type { Enrolment, EnrolmentEntry, Sequence, SequenceStep, WaitUntil } from "@leadloom/client"
import { count } from "../Count.ts"

/** The texts of the pages of sequences. */
export const sequenceText = {
  title: "Sequences",
  empty: "No sequences. A sequence sends messages and creates tasks over days, until the contact answers.",
  list: "Sequences",
  columns: { name: "Sequence", state: "State", steps: "Steps", version: "Version", changed: "Last change" },
  running: "Active",
  version: (version: number) => `Version ${version}`,
  tabs: {
    label: "Parts of the sequence",
    steps: "Steps",
    results: "Results",
    enrolments: "Enrolments",
    preview: "Preview",
    simulation: "Simulation",
    edit: "Edit"
  },
  pause: {
    title: "Paused",
    since: (time: string) => `Paused since ${time}. No step runs, and no message is sent.`,
    reasons: {
      by_person: "A person paused it",
      bounces: "Too many emails bounced",
      complaints: "Too many emails were reported as spam",
      opt_outs: "Too many contacts opted out"
    },
    why: (reason: string, detail: string) => `${reason}: ${detail}.`,
    advice: "Check the addresses and the texts before you resume it. Only later messages count then.",
    pause: "Pause the sequence",
    message:
      "No step of any enrolment runs, and a message that waits for its provider is not sent, until somebody resumes it.",
    resume: "Resume the sequence",
    paused: "The sequence is paused.",
    resumed: "The sequence continues. Steps whose time has passed run within 15 minutes."
  },
  steps: "Steps in order",
  stops: "Stops early",
  always: "The contact replies, a message bounces, or the contact opts out",
  stopOn: {
    lead_closed: "The lead is won, lost or archived",
    stage_changed: "The lead moves to another stage"
  },
  facts: "Limits and versions",
  versionFact: "Current version",
  versionHelp: "Enrolments keep the version in which they began, unless a change moves them to the new one.",
  changed: "Last change",
  created: "Created",
  daily: "Messages per contact and day",
  dailyHelp: "All sequences together",
  holdout: "Holdout group",
  noHoldout: "None: all contacts get the messages",
  holdoutOf: (percent: number) => `${percent} % of the contacts get no message`,
  limits: {
    title: "Pauses itself",
    bounce_percent: "bounces",
    complaint_percent: "spam reports",
    opt_out_percent: "opt-outs",
    at: (percent: string, of: string) => `At ${percent} % ${of}`,
    without: (of: string) => `No limit of ${of}`,
    from: (messages: string) => `From ${messages} in seven days`
  },
  share: (name: string, percent: number) => `${name}: ${percent} % of the contacts`,
  instead: (channel: string) => `If this is not possible: ${channel}`,
  untilTime: (time: string) => `Until ${time}, in the time zone of the contact`,
  untilDate: (field: string, days: string, time: string) => `Until the date in ${field} (${days}${time})`,
  untilOtherwise: {
    stop: "without the date, the enrolment stops",
    continue: "without the date, the next step follows at once"
  },
  daysBefore: "before",
  daysAfter: "after",
  window: (hours: string) => `Only ${hours}, in the time zone of the contact`,
  noSubject: "Answers the newest email of the contact",
  kinds: { send: "Send", task: "Create a task", wait: "Wait" },
  channels: { email: "Send an email", sms: "Send a text" },
  delays: { minutes: ["minute", "minutes"], hours: ["hour", "hours"], days: ["day", "days"] },
  first: (delay: string) => `${delay} after the enrolment`,
  later: (delay: string) => `${delay} after the previous step`,
  firstNow: "At the enrolment",
  laterNow: "Directly after the previous step",
  preview: {
    title: "What the contact would receive",
    help: "Times and texts for a contact that is enrolled now and never answers. Nothing is stored or sent.",
    choose: "Choose a contact",
    for: (name: string) => `Preview for ${name}`,
    never: "Does not run",
    reason: (reason: string) => `Reason: ${reason}`,
    missing: (names: string) => `Without a value: ${names}`
  },
  enrol: {
    button: "Enrol a contact",
    ofContact: "Enrol in a sequence",
    title: (name: string) => `Enrol ${name}`,
    sequence: "Sequence",
    choose: "Choose a sequence",
    none: "There are no sequences yet. Create one on the page of sequences.",
    send: "Enrol",
    done: (name: string) => `${name} is in the sequence.`
  },
  enrolments: {
    title: "Enrolments",
    empty: "No enrolments. Nobody is in this sequence.",
    filtered: "No enrolment matches this filter.",
    ofContact: "No enrolments. This contact is in no sequence.",
    state: "State",
    states: { active: "Active", paused: "Paused", completed: "Completed", stopped: "Stopped", held_out: "Held out" },
    columns: {
      contact: "Contact",
      sequence: "Sequence",
      state: "State",
      next: "Next step",
      version: "Version",
      since: "Enrolled",
      actions: "Actions"
    },
    stops: {
      replied: "The contact replied",
      bounced: "A message bounced",
      opted_out: "The contact opted out",
      lead_closed: "The lead was closed",
      stage_changed: "The lead moved to another stage",
      by_person: "A person stopped it",
      by_rule: "A rule stopped it",
      contact_archived: "The contact was archived",
      sequence_deleted: "The sequence was deleted",
      rule_disabled: "The rule was deleted or disabled",
      no_date: "The date that the sequence waits for is missing or has passed",
      enrolled_twice: "A merged contact was in the sequence twice"
    },
    defects: "A step failed repeatedly. Resume it to try again.",
    deleted: "Deleted sequence",
    on: (action: string, name: string) => `${action}: ${name}`,
    pause: "Pause",
    resume: "Resume",
    skip: "Skip step",
    skipMessage: (step: string) =>
      `The step “${step}” never runs for this contact. The delay of the step after it counts from now on.`,
    stop: "Stop",
    stopMessage: "No step runs any more, and the enrolment cannot continue. Enrol the contact again to start over.",
    done: {
      pause: "Paused. Nothing is sent until somebody resumes it.",
      resume: "Resumed",
      skip: "Step skipped",
      stop: "Stopped. Nothing more is sent."
    },
    history: (steps: number) => count(steps, "outcome", "outcomes"),
    outcomes: {
      sent: "sent",
      task_created: "task created",
      waited: "waited",
      skipped: "skipped",
      refused: "not allowed",
      delayed: "delayed",
      failed: "failed"
    },
    until: (time: string) => `until ${time}`,
    task: "Open task"
  }
} as const

/** Returns the shown name of a value. A newer server may send other values. */
export const nameOf = (names: Readonly<Record<string, string>>, value: string): string => names[value] ?? value

/** Returns the time of a step as a sentence. */
export const delayText = ({ delay: { amount, unit } }: SequenceStep, isFirst: boolean): string => {
  if (amount === 0) return isFirst ? sequenceText.firstNow : sequenceText.laterNow
  const [one, other] = sequenceText.delays[unit]
  const delay = count(amount, one, other)
  return isFirst ? sequenceText.first(delay) : sequenceText.later(delay)
}

/** Returns what a step does. */
export const kindText = (step: SequenceStep): string =>
  step.kind === "send" ? nameOf(sequenceText.channels, step.channel) : nameOf(sequenceText.kinds, step.kind)

/** Returns the hours of a step; null: all hours. */
export const windowText = ({ window = [] }: SequenceStep): string | null =>
  window.length === 0
    ? null
    : sequenceText.window(window.map(({ days, from, to }) => `${days.join(", ")} ${from}–${to}`).join("; "))

/** Returns the further conditions that stop an enrolment, as sentences. */
export const stopTexts = ({ stop_on: stops }: Pick<Sequence, "stop_on">): ReadonlyArray<string> =>
  stops.map((stop) => nameOf(sequenceText.stopOn, stop))

/** Returns the state of an enrolment, with the reason of its stop or pause. */
export const stateText = ({
  pause_reason: pause,
  state,
  stop_reason: reason
}: Pick<Enrolment, "pause_reason" | "state" | "stop_reason">): string => {
  const { defects, states } = sequenceText.enrolments
  const name = nameOf(states, state)
  if (pause === "defects") return `${name}: ${defects}`
  return reason === null ? name : `${name}: ${nameOf(sequenceText.enrolments.stops, reason)}`
}

/** Returns the outcome of a step as a part of a sentence. */
export const outcomeText = ({ outcome }: Pick<EnrolmentEntry, "outcome">): string =>
  nameOf(sequenceText.enrolments.outcomes, outcome)

/** Returns the share of a text of a step. `total` is the sum of all weights. */
export const shareText = (name: string, weight = 1, total: number): string =>
  sequenceText.share(name, Math.round((weight * 100) / total))

/** Returns the end of a wait as a sentence without its full stop. */
export const untilText = (until: WaitUntil): string => {
  if (!("field" in until)) return sequenceText.untilTime(until.time)
  const { days = 0, field, otherwise = "stop", time = "09:00" } = until
  const { daysAfter, daysBefore } = sequenceText
  const distance = days === 0 ? "" : `${count(Math.abs(days), "day", "days")} ${days < 0 ? daysBefore : daysAfter}, `
  return `${sequenceText.untilDate(field, distance, time)}; ${sequenceText.untilOtherwise[otherwise]}`
}

/** Returns the size of the holdout group as a sentence. */
export const holdoutText = ({ holdout_percent: percent }: Pick<Sequence, "holdout_percent">): string =>
  percent === 0 ? sequenceText.noHoldout : sequenceText.holdoutOf(percent)

/** Returns the limits that pause a sequence, as sentences. */
export const limitTexts = ({ limits }: Pick<Sequence, "limits">): ReadonlyArray<string> => {
  const { at, from, without } = sequenceText.limits
  const shares = (["bounce_percent", "complaint_percent", "opt_out_percent"] as const).map((name) => {
    const percent = limits[name]
    return percent === null ? without(sequenceText.limits[name]) : at(String(percent), sequenceText.limits[name])
  })
  return [...shares, from(count(limits.min_messages, "message", "messages"))]
}
