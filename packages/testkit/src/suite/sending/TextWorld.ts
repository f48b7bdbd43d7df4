import * as ProviderFailure from "@leadloom/core/domain/provider/ProviderFailure"
import { inMemorySmsProvider, type TextFate } from "../../memory/SmsProvider.ts"
import { inMemoryEmailTransport } from "../../memory/EmailTransport.ts"
import { assert, layer } from "@effect/vitest"
import { workDueSends } from "@leadloom/core/workflow/sending/WorkSends"
import { runJob } from "@leadloom/core/workflow/job/RunJob"
import { workDueJobs } from "@leadloom/core/workflow/job/WorkJobs"
import { assignNumber } from "@leadloom/core/workflow/tenant/AssignNumber"
import type { Rule } from "@leadloom/core/domain/rule/Rule"
import { workDueSignals } from "@leadloom/core/workflow/pipeline/WorkSignals"
import { Messages } from "@leadloom/core/port/repository/conversation/Messages"
import { OptOuts } from "@leadloom/core/port/repository/contact/OptOuts"
import type { TextOrder, TextTimeRange } from "@leadloom/core/port/provider/SmsProvider"
import { ingestText } from "@leadloom/core/workflow/sms/IngestText"
import type { TextArrived, TextMoved } from "@leadloom/core/domain/conversation/TextEvent"
import type { TenantConfig } from "@leadloom/core/domain/tenant/TenantConfig"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { around } from "../Doubles.ts"
import { start, acme } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

/** The tenant's number and the contact's number. */
export const own = "+12125550199"
export const jane = "+12125550100"
export const hour = 3_600_000

const thanks: Rule = {
  id: "rule_thanks",
  name: "Thanks",
  priority: 1,
  when: { fact: "message.text", op: "contains", value: "roof" },
  actions: [{ type: "reply", template: "Thank you." }]
}

/** Creates a tenant with a number, at noon in New York. */
export const open = (config: Partial<TenantConfig> = {}, at = start + 8 * hour) =>
  Effect.gen(function* () {
    const tenant = yield* acme.open({ rules: [thanks], replyMode: "auto", ...config })
    yield* assignNumber("acme", own, true)
    yield* TestClock.setTime(at)
    return tenant
  })

let last = 0
/** A text from Jane. */
export const from = (body: string, more: Partial<TextArrived> = {}): TextArrived => ({
  _tag: "TextArrived",
  providerMessageId: `SM${++last}`,
  from: jane,
  to: own,
  body,
  media: [],
  requested: null,
  details: {},
  ...more
})

/** Receives a text one minute later. */
export const receive = Effect.fnUntraced(function* (providerEvent: TextArrived) {
  yield* TestClock.adjust("1 minute")
  const accepted = (yield* ingestText(providerEvent)) ?? assert.fail("the number is nobody's")
  const contactId = accepted.contactId ?? assert.fail("no contact")
  return { ...accepted, contactId }
})

/** Runs all due signals and jobs. */
export const work = Effect.gen(function* () {
  yield* workDueSignals()
  while ((yield* workDueSends()) > 0);
})

/** Runs all due jobs of the provider. */
export const jobs = Effect.gen(function* () {
  while ((yield* workDueJobs(runJob)) > 0);
})

/** Returns the sender, the text and the state of each message. */
export const history = (contactId: string) =>
  Effect.map(
    Effect.flatMap(Messages, (messages) => messages.ofContact("acme", contactId)),
    (all) => all.map(({ actor, body, delivery }) => [actor, body, delivery])
  )

/** Returns Jane's stored opt-outs. */
export const storedOptOuts = Effect.flatMap(OptOuts, (optOuts) => optOuts.of("acme", [jane]))

/** A provider event about an outbound text. */
export const moved = (
  messageId: TextMoved["messageId"],
  state: TextMoved["state"],
  more: Partial<TextMoved> = {}
): TextMoved => ({
  _tag: "TextMoved",
  tenantId: "acme",
  messageId,
  providerMessageId: "SMours",
  state,
  reason: null,
  about: null,
  ...more
})

/** A query for open tasks. */
export const openTasks = { status: "open", type: null, priority: null, contactId: null, leadId: null } as const

/** A text that an agent of the tenant writes. */
export const letter = (body: string) => ({ channel: "sms", body, replyAll: false }) as const

/**
 * The in-memory provider: the texts that it received, the results of the next texts, the states that a lookup finds,
 * and the downloads of pictures.
 */
export interface There {
  readonly outbox: Array<TextOrder>
  readonly fates: Array<TextFate>
  found: ReadonlyArray<TextMoved>
  /** The time ranges of lookups. */
  readonly looked: Array<TextTimeRange>
  /** The number of concurrent picture downloads: now, and the highest so far. */
  readonly fetching: { now: number; max: number }
}

const acceptedFate: TextFate = { left: true, response: "201 queued", providerMessageId: "SMours" }

const media = (there: There) => (url: string) => {
  if (url === "gone") return Effect.fail(ProviderFailure.refused("sms", "404"))
  return Effect.gen(function* () {
    there.fetching.now += 1
    there.fetching.max = Math.max(there.fetching.max, there.fetching.now)
    yield* Effect.yieldNow
    there.fetching.now -= 1
    return { contentType: "image/png", bytes: new Uint8Array([1, 2, 3]) }
  })
}

const textLayer = (store: StoreLayer, there: There) =>
  Layer.mergeAll(
    store,
    around,
    inMemoryEmailTransport([]),
    inMemorySmsProvider(there.outbox, () => there.fates.shift() ?? acceptedFate, {
      find: (_, when) =>
        Effect.sync(() => {
          there.looked.push(when)
          return there.found
        }),
      media: media(there)
    })
  )

type Test = (there: There) => Effect.Effect<void, unknown, Layer.Success<ReturnType<typeof textLayer>>>

/** Runs a test of texts on a fresh store. */
export const textScene =
  (store: StoreLayer) =>
  (title: string, test: Test): void => {
    const there: There = { outbox: [], fates: [], found: [], looked: [], fetching: { now: 0, max: 0 } }
    layer(Layer.fresh(textLayer(store, there)))("on a fresh store", (it) => it.effect(title, () => test(there)))
  }
