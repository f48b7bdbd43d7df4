import { Effect } from "effect"
import type { Activity } from "../../domain/contact/Activity.ts"
import type { Delivery, Message } from "../../domain/conversation/Message.ts"
import { maxCountedMessages } from "../../domain/conversation/MessageActivity.ts"
import type { PastMessage } from "../../domain/conversation/PastMessage.ts"
import type { DeliveryStep } from "../../domain/sending/DeliveryStep.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import { PastFacts } from "../../port/repository/pipeline/PastFacts.ts"
import type { SimulatedTime } from "./SimulatedTime.ts"

/** Remembers the results of a read for the duration of a simulation. */
export const remembered = <A, E, R>(read: (key: string) => Effect.Effect<A, E, R>) => {
  const known = new Map<string, A>()
  return (key: string): Effect.Effect<A, E, R> => {
    const found = known.get(key)
    return found === undefined
      ? Effect.tap(read(key), (value) => Effect.sync(() => known.set(key, value)))
      : Effect.succeed(found)
  }
}

/** The maximum number of changes that are read of one contact. */
const maxChanges = 1_000

/** Returns whether the simulated rule itself made a change at the moment of its run. */
const isByRule = ({ actor, data, type }: Activity, ruleName: string): boolean => {
  if (data["causes_rules"] === false) return true
  if (type === "conversation_closed" || type === "conversation_reopened") return actor === "system"
  return data["reason"] === `the rule ${ruleName}`
}

const deliveries: ReadonlyArray<string> = [
  "sent",
  "failed",
  "unknown",
  "delivered",
  "bounced"
] satisfies Array<Delivery>

/** Returns the delivery state of a message after steps; the state of the last one that is a state. */
const stateAfter = (steps: ReadonlyArray<DeliveryStep>): Delivery => {
  const last = steps.findLast(({ step }) => deliveries.includes(step))?.step
  return last === undefined || last === "started" || last === "postponed" ? "queued" : last
}

/** Reads the timelines and messages of contacts as of the simulated time. */
export const makePastReads = Effect.fnUntraced(function* (time: SimulatedTime) {
  const past = yield* PastFacts
  const sends = yield* Sends
  const { ruleName, tenantId } = time
  const changes = remembered((contactId) => past.changes(tenantId, contactId, 0, maxChanges))
  const steps = remembered((messageId) => sends.history(tenantId, messageId as Message["messageId"]))
  const isLater = (change: Activity): boolean =>
    change.at > time.now || (change.at === time.now && ruleName !== null && isByRule(change, ruleName))
  /** A message that the run of the rule sends at the same moment is no fact of this run. */
  const isOwn = ({ actor, receivedAt }: PastMessage): boolean =>
    ruleName !== null && receivedAt === time.now && actor === "assistant"
  const deliveryOf = Effect.fnUntraced(function* ({ delivery, messageId }: Pick<Message, "delivery" | "messageId">) {
    if (delivery === null || delivery === "queued") return delivery
    const all = yield* steps(messageId)
    return all.length === 0 ? delivery : stateAfter(all.filter(({ at }) => at <= time.now))
  })
  return {
    /** Returns the changes of a contact and its leads after the simulated time, newest first. */
    changesOf: (contactId: string) => Effect.map(changes(contactId), (all) => all.filter(isLater)),
    /** Returns the entries about closed and reopened conversations until then, oldest first. */
    closingsOf: (contactId: string) =>
      Effect.map(changes(contactId), (all) =>
        all.filter((change) => change.type.startsWith("conversation_") && !isLater(change)).toReversed()
      ),
    deliveryOf,
    /** Returns the newest messages of a contact, oldest first, with the delivery states of that time. */
    messagesOf: Effect.fnUntraced(function* (contactId: string) {
      const found = yield* past.messagesOf(tenantId, contactId, time.now, maxCountedMessages)
      const asOf: Array<PastMessage> = []
      for (const message of found.toReversed())
        if (!isOwn(message)) asOf.push({ ...message, delivery: yield* deliveryOf(message) })
      return asOf
    })
  }
})

/** Reads as of the simulated time. */
export type PastReads = Effect.Success<ReturnType<typeof makePastReads>>
