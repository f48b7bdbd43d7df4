/**
 * A second implementation of reports, which counts the events of a history from the start. It shares no code with the
 * service, and measures working time minute by minute with the calendar of the platform.
 */
import type { Metric, ReportGroup } from "@leadloom/core/internal/domain/report/Report"
import type { Tenant } from "@leadloom/core/internal/domain/tenant/Tenant"
import type { User } from "@leadloom/core/internal/domain/user/User"
import { idOf } from "../Records.ts"
import type { Events, SaidMessage, StateChange } from "./ReportHistory.ts"

const minute = 60_000

/** The team and the tags of the conversation of each contact, at the end of the history. */
export type Labels = ReadonlyMap<number, { readonly teamId: string | null; readonly tags: ReadonlyArray<string> }>

/** An event that a report counts. */
export interface Counted {
  readonly metric: Metric
  readonly groups: Readonly<Record<ReportGroup, ReadonlyArray<string>>>
  readonly detail: string
  readonly seconds: number | null
}

interface Hours {
  readonly zone: string
  readonly days: ReadonlyArray<string>
  readonly from: string
  readonly to: string
}

const hoursOf = ({ config }: Tenant, user: User | undefined): Hours => {
  const [own] = user?.workingHours ?? []
  return own === undefined
    ? { zone: config.timeZone, ...config.voice.callbackHours }
    : { zone: user?.timeZone ?? config.timeZone, ...own }
}

const isWorking = ({ days, from, to, zone }: Hours) => {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit"
  })
  return (at: number): boolean => {
    const [day = "", time = ""] = format.format(at).split(/,? /u)
    return days.includes(day.toLowerCase()) && time >= from && time < to
  }
}

const workingSeconds = (hours: Hours, from: number, to: number): number => {
  const works = isWorking(hours)
  let minutes = 0
  for (let at = from; at < to; at += minute) if (works(at)) minutes++
  return minutes * 60
}

const isOurs = ({ actor }: SaidMessage): boolean => actor !== "contact"

/** Whether the contact does not have a message: it waits for its delivery, failed or bounced. */
const isUnsent = ({ delivery }: SaidMessage): boolean =>
  delivery === "queued" || delivery === "failed" || delivery === "bounced"

/** Returns the start of the wait that an answer ends, from the messages that were stored before it; null: none. */
const waitOf = (answer: SaidMessage, earlier: ReadonlyArray<SaidMessage>): number | null => {
  const known = earlier.filter((one) => one.contact === answer.contact && one.at <= answer.at && one.auto === null)
  const lastOurs = Math.max(-1, ...known.filter((one) => isOurs(one) && !isUnsent(one)).map(({ at }) => at))
  const waiting = known.filter((one) => !isOurs(one) && one.at > lastOurs).map(({ at }) => at)
  return waiting.length === 0 ? null : Math.min(...waiting)
}

/** Returns the opening of the conversation that a closing ends; null if the contact never wrote. */
const openingOf = (closing: StateChange, { changes, messages }: Events): number | null => {
  const own = changes.filter((one) => one.contact === closing.contact && one.at < closing.at)
  const previous = Math.max(-1, ...own.filter(({ state }) => state === "closed").map(({ at }) => at))
  const openings = [
    ...own.filter(({ at, state }) => state === "open" && at > previous).map(({ at }) => at),
    ...messages
      .filter((one) => one.contact === closing.contact && !isOurs(one) && one.auto === null)
      .filter(({ at, receivedAt }) => receivedAt <= closing.at && receivedAt > previous && at > previous)
      .map(({ receivedAt }) => receivedAt)
  ]
  return openings.length === 0 ? null : Math.min(...openings)
}

/** Counts all events of a history. */
export const countEvents = (
  events: Events,
  labels: Labels,
  tenant: Tenant,
  users: ReadonlyArray<User>
): ReadonlyArray<Counted> => {
  const days = new Intl.DateTimeFormat("en-CA", { timeZone: tenant.config.timeZone })
  const count = (
    metric: Metric,
    { channel, contact, number }: Pick<SaidMessage, "channel" | "contact" | "number">,
    {
      at,
      detail = "",
      seconds = null,
      user = ""
    }: { at: number; detail?: string; seconds?: number | null; user?: string }
  ): Counted => {
    const { tags = [], teamId = null } = labels.get(contact) ?? {}
    const groups = {
      day: [days.format(at)],
      channel: [channel],
      user: [user],
      source: [`source-${number % 2}`],
      team: [teamId ?? ""],
      tag: tags,
      pipeline: []
    }
    return { metric, groups, detail, seconds }
  }
  const interval = (metric: "first_response" | "resolution", message: SaidMessage, from: number, to: StateOrAnswer) => {
    const hours = hoursOf(
      tenant,
      users.find(({ userId }) => userId === to.user)
    )
    const seconds = (to.at - from) / 1_000
    return [
      count(metric, message, { ...to, seconds }),
      count(`${metric}_business`, message, { ...to, seconds: workingSeconds(hours, from, to.at) })
    ]
  }
  const ofMessage = (message: SaidMessage, index: number): ReadonlyArray<Counted> => {
    if (message.contact === 0 || message.auto !== null) return []
    if (!isOurs(message)) return [count("received", message, { at: message.at })]
    const user = message.user !== null && message.actor === "agent" ? idOf("usr", message.user) : ""
    const by = { at: message.at, detail: message.actor, user }
    const delivery = count("delivery", message, { ...by, detail: message.delivery ?? "" })
    if (isUnsent(message)) return [delivery]
    const from = waitOf(message, events.messages.slice(0, index))
    return [
      delivery,
      count("sent", message, by),
      ...(from === null ? [] : interval("first_response", message, from, by))
    ]
  }
  const ofClosing = (closing: StateChange): ReadonlyArray<Counted> => {
    const from = openingOf(closing, events)
    const last = events.messages.findLast(
      (one) => one.contact === closing.contact && !isOurs(one) && one.receivedAt <= closing.at
    )
    if (from === null || last === undefined) return []
    return interval("resolution", last, from, { at: closing.at, detail: "agent", user: "" })
  }
  const closings = events.changes.filter(({ state }) => state === "closed")
  return [...events.messages.flatMap(ofMessage), ...closings.flatMap(ofClosing)]
}

interface StateOrAnswer {
  readonly at: number
  readonly detail: string
  readonly user: string
}

/** The expected row of a report, with all durations in ascending order. */
export interface ExpectedRow {
  readonly group: string
  readonly metric: Metric
  readonly detail: string
  readonly count: number
  readonly durations: ReadonlyArray<number>
}

/** Returns the expected rows of a report, in the order of group, metric and detail. */
export const expectedRows = (
  counted: ReadonlyArray<Counted>,
  metrics: ReadonlyArray<Metric>,
  by: ReportGroup
): ReadonlyArray<ExpectedRow> => {
  const rows = new Map<string, ExpectedRow>()
  for (const { detail, groups, metric, seconds } of counted.filter((one) => metrics.includes(one.metric))) {
    for (const group of groups[by]) {
      const key = [group, metric, detail].join("\n")
      const known = rows.get(key) ?? { group, metric, detail, count: 0, durations: [] }
      const durations = [...known.durations, ...(seconds === null ? [] : [seconds])]
      rows.set(key, { ...known, count: known.count + 1, durations: durations.toSorted((a, b) => a - b) })
    }
  }
  return [...rows.keys()].toSorted().flatMap((key) => rows.get(key) ?? [])
}
