import { Schema } from "effect"
import type { Channel } from "../Channel.ts"
import type { Actor, Delivery } from "../conversation/Message.ts"
import type { TeamId, UserId } from "../Id.ts"
import type { Calendar } from "./Calendar.ts"
import { bucketOf } from "./Durations.ts"
import { type Metric, metrics } from "./Report.ts"

/**
 * One counted event: a message, the end of a wait, a closed conversation, a run, or a lead in a stage. A stored row has at most one fact of
 * each metric. Empty texts mean none. Triggers of the database sum the facts.
 */
export class Fact extends Schema.Opaque<Fact>()(
  Schema.Struct({
    tenantId: Schema.String,
    /**
     * The id of the message, activity or run. Others have the id of their row, a colon and a suffix: `delivery` for a
     * message, `tier` or the number of the stage for a lead.
     */
    factId: Schema.String,
    metric: Schema.Literals(metrics),
    /** `YYYY-MM-DD` in the tenant's time zone. */
    day: Schema.String,
    channel: Schema.String,
    userId: Schema.String,
    teamId: Schema.String,
    source: Schema.String,
    /** Only facts of leads have a pipeline. */
    pipelineId: Schema.String,
    detail: Schema.String,
    /** The tags of the conversation or lead. */
    tags: Schema.Array(Schema.String),
    /** A duration, or a value of money in minor units; 0 for metrics without one. */
    seconds: Schema.Int,
    /** The bucket of the duration (`bucketOf`). */
    bucket: Schema.Int
  })
) {}

/** The fields of all counted rows. Team and tags are those that the conversation or lead has now. */
export interface Followed {
  readonly id: string
  readonly tenantId: string
  readonly channel: Channel
  readonly source: string
  readonly teamId: TeamId | null
  readonly tags: ReadonlyArray<string>
}

/** The fields of a stored message that are counted. */
export interface FollowedMessage extends Followed {
  readonly actor: Actor
  readonly userId: UserId | null
  readonly timestamp: number
  /** False for automatic mail, and for messages that are not sent yet, failed or bounced. They have no facts. */
  readonly isCounted: boolean
  /** The delivery state of a message of the tenant. Null for automatic mail and for messages without a delivery. */
  readonly delivery: Delivery | null
  /**
   * For a message of the tenant: the time of the contact's first message since the tenant's previous message. Null if
   * the contact waits for nothing.
   */
  readonly waitingSince: number | null
}

/** The closing of a conversation. */
export interface FollowedClosing extends Followed {
  readonly actor: Actor
  readonly userId: UserId | null
  readonly closedAt: number
  /** The time of the opening or reopening. Null if the contact never wrote. */
  readonly openedAt: number | null
}

/** The fields of a stored run that are counted. */
export interface FollowedRun extends Followed {
  readonly createdAt: number
  /** The outcome of the reply and the code of its reason, for example `suppressed:quiet_hours`. */
  readonly reply: string
}

/** Creates a fact of a row. Without other `fields`, it has the id of the row and no user, detail or duration. */
export const factOf = (
  { channel, id, source, tags, teamId, tenantId }: Followed,
  metric: Metric,
  day: string,
  fields: Partial<Fact>
): Fact => ({
  tenantId,
  factId: id,
  metric,
  day,
  channel,
  userId: "",
  teamId: teamId ?? "",
  source,
  pipelineId: "",
  detail: "",
  tags,
  seconds: 0,
  bucket: bucketOf(fields.seconds ?? 0),
  ...fields
})

/** Returns the two facts of an interval: its length, and the working time in it. They belong to the day of its end. */
const interval = (
  row: Followed & { readonly actor: Actor; readonly userId: UserId | null },
  metric: "first_response" | "resolution",
  { from, to }: { readonly from: number; readonly to: number },
  { businessSeconds, dayOf }: Calendar
): ReadonlyArray<Fact> => {
  const fields = { userId: row.userId ?? "", detail: row.actor }
  const seconds = Math.max(0, Math.round((to - from) / 1_000))
  const business = { ...fields, seconds: businessSeconds(row.userId, from, to) }
  return [
    factOf(row, metric, dayOf(to), { ...fields, seconds }),
    factOf(row, `${metric}_business`, dayOf(to), business)
  ]
}

const deliveryId = (messageId: string): string => `${messageId}:delivery`

/** Returns the ids that the facts of a message can have. */
export const factIdsOfMessage = ({ actor, id }: FollowedMessage): ReadonlyArray<string> =>
  actor === "contact" ? [id] : [id, deliveryId(id)]

/** Returns the fact of the delivery state, which failed and queued messages have too. */
const factsOfDelivery = (message: FollowedMessage, calendar: Calendar): ReadonlyArray<Fact> => {
  const { actor, delivery, id, timestamp, userId } = message
  if (delivery === null || (actor !== "agent" && actor !== "assistant")) return []
  const fields = { factId: deliveryId(id), userId: userId ?? "", detail: delivery }
  return [factOf(message, "delivery", calendar.dayOf(timestamp), fields)]
}

/** Returns the facts of a message that reached its recipient. */
const factsOfExchange = (message: FollowedMessage, calendar: Calendar): ReadonlyArray<Fact> => {
  const { actor, isCounted, timestamp, userId, waitingSince } = message
  if (!isCounted || actor === "system") return []
  const day = calendar.dayOf(timestamp)
  const by = userId ?? ""
  if (actor === "contact") return [factOf(message, "received", day, { userId: by })]
  const sent = factOf(message, "sent", day, { userId: by, detail: actor })
  if (waitingSince === null) return [sent]
  return [sent, ...interval(message, "first_response", { from: waitingSince, to: timestamp }, calendar)]
}

/** Returns the facts of a message. */
export const factsOfMessage = (message: FollowedMessage, calendar: Calendar): ReadonlyArray<Fact> => [
  ...factsOfExchange(message, calendar),
  ...factsOfDelivery(message, calendar)
]

/** Returns the facts of a closed conversation. */
export const factsOfClosing = (closing: FollowedClosing, calendar: Calendar): ReadonlyArray<Fact> =>
  closing.openedAt === null
    ? []
    : interval(closing, "resolution", { from: closing.openedAt, to: closing.closedAt }, calendar)

/** Returns the facts of a run. */
export const factsOfRun = (run: FollowedRun, { dayOf }: Calendar): ReadonlyArray<Fact> => [
  factOf(run, "reply", dayOf(run.createdAt), { detail: run.reply })
]

/** The difference between stored and current facts. */
export interface FactChanges {
  readonly removed: ReadonlyArray<Fact>
  readonly added: ReadonlyArray<Fact>
}

const textOf = (fact: Fact): string =>
  JSON.stringify(Object.entries(fact).toSorted(([one], [other]) => (one < other ? -1 : 1)))

/** Compares stored facts with the current facts of the same rows. A changed fact is removed and added. */
export const changesOf = (stored: ReadonlyArray<Fact>, current: ReadonlyArray<Fact>): FactChanges => {
  const [before, after] = [new Set(stored.map(textOf)), new Set(current.map(textOf))]
  return {
    removed: stored.filter((fact) => !after.has(textOf(fact))),
    added: current.filter((fact) => !before.has(textOf(fact)))
  }
}
