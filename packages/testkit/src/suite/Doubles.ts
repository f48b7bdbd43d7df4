import { sessionKey } from "@leadloom/core/internal/domain/access/SessionToken"
import { Secrets } from "@leadloom/core/internal/domain/access/Secrets"
import type { CallLegs } from "@leadloom/core/internal/domain/call/CallLegs"
import type { TextMoved } from "@leadloom/core/internal/domain/conversation/TextEvent"
import type { OutgoingMail } from "@leadloom/core/internal/domain/email/OutgoingMail"
import * as ProviderFailure from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { CompiledConfigs } from "@leadloom/core/internal/domain/tenant/CompiledConfigs"
import { Classifier } from "@leadloom/core/internal/port/provider/Classifier"
import { Crm } from "@leadloom/core/internal/port/provider/Crm"
import { FileScanner } from "@leadloom/core/internal/port/provider/FileScanner"
import { MailHosts } from "@leadloom/core/internal/domain/mailbox/MailHostPolicy"
import { publicOnly } from "@leadloom/core/internal/domain/webhook/EgressPolicy"
import { OAuthProviders } from "@leadloom/core/internal/port/provider/OAuthProviders"
import { Mailboxes } from "@leadloom/core/internal/port/provider/Mailboxes"
import { inMemoryMailComposer } from "../memory/MailComposer.ts"
import { HostedMail } from "@leadloom/core/internal/port/provider/HostedMail"
import { Payments } from "@leadloom/core/internal/port/provider/Payments"
import { ReplyWriter } from "@leadloom/core/internal/port/provider/ReplyWriter"
import type { TextOrder, TextTimeRange } from "@leadloom/core/internal/port/provider/SmsProvider"
import type { CallToPlace, PlacedCall } from "@leadloom/core/internal/port/provider/VoiceProvider"
import { CpuShares, makeCpuShares } from "@leadloom/core/internal/workflow/budget/CpuShares"
import { Effect, Layer } from "effect"
import { type CrmInMemory, emptyCrm, inMemoryCrm } from "../memory/Crm.ts"
import { type Fate, inMemoryEmailTransport } from "../memory/EmailTransport.ts"
import { emptyMailProvider, inMemoryHostedMail, type MailProviderInMemory } from "../memory/HostedMail.ts"
import { inMemoryHtmlRenderer } from "../memory/HtmlRenderer.ts"
import { inMemoryHumanCheck } from "../memory/HumanCheck.ts"
import { inMemoryIds } from "../memory/Ids.ts"
import { inMemoryMailParser } from "../memory/MailParser.ts"
import { inMemoryObjects, inMemoryObjectsLayer } from "../memory/Objects.ts"
import { emptyPayments, inMemoryPayments, type PaymentsInMemory } from "../memory/Payments.ts"
import { inMemoryRandomness } from "../memory/Randomness.ts"
import { inMemoryReplyTemplates } from "../memory/ReplyTemplates.ts"
import { inMemorySmsProvider, type TextFate } from "../memory/SmsProvider.ts"
import { inMemoryVault } from "../memory/Vault.ts"
import { inMemoryVoiceProvider, type VoiceRequest } from "../memory/VoiceProvider.ts"
import { defaultScript, type Script, scriptedModel } from "../memory/ScriptedModel.ts"
import { makeReceivers, type Receivers } from "../memory/Receivers.ts"

/** Providers that are not configured unless a scene names them. Mail, calls and webhooks always are. */
export type Provider = "crm" | "hosted mail" | "model" | "payments" | "texts"

/** The state of the in-memory providers. A test reads the requests that they received, and sets their responses. */
export interface Doubles {
  /** The SMTP relay: the mails that it received, and the results of the next ones. It accepts all further mails. */
  readonly mail: {
    readonly outbox: Array<OutgoingMail>
    readonly fates: Array<Fate>
    /** The contents of the attachments of each mail. */
    readonly files: Array<ReadonlyArray<Uint8Array>>
  }
  readonly texts: TextDouble
  readonly calls: CallDouble
  /** Objects by path, for example the sources of mail. */
  readonly objects: Map<string, Uint8Array>
  /** The servers behind webhooks. */
  readonly receivers: Receivers
  readonly crm: CrmInMemory
  readonly mailbox: MailProviderInMemory
  readonly model: Script
  readonly payments: PaymentsInMemory
}

/** The SMS provider. It accepts all texts after the given fates. */
export interface TextDouble {
  readonly outbox: Array<TextOrder>
  readonly fates: Array<TextFate>
  /** The states that a lookup finds. */
  found: ReadonlyArray<TextMoved>
  /** The time ranges of lookups. */
  readonly looked: Array<TextTimeRange>
  /** The number of concurrent picture downloads: now, and the highest so far. */
  readonly fetching: { now: number; max: number }
}

/** The voice provider: its requests, the result of the next calls, and the state of its legs. */
export interface CallDouble {
  readonly acts: Array<VoiceRequest>
  fate: (call: CallToPlace) => PlacedCall | ProviderFailure.ProviderFailure
  legs: (leg: string) => CallLegs | ProviderFailure.ProviderFailure
}

/** Creates providers without any data. */
export const makeDoubles = (): Doubles => ({
  mail: { outbox: [], fates: [], files: [] },
  texts: { outbox: [], fates: [], found: [], looked: [], fetching: { now: 0, max: 0 } },
  calls: {
    acts: [],
    fate: ({ callId }) => ({ providerCallId: `leg ${callId}`, left: true }),
    legs: () => ProviderFailure.gone("voice", "object", "no such leg")
  },
  objects: new Map(),
  receivers: makeReceivers(),
  crm: emptyCrm(),
  mailbox: emptyMailProvider(),
  model: defaultScript(),
  payments: emptyPayments()
})

/** Returns a picture for every URL except `gone`. */
const media = (fetching: TextDouble["fetching"]) => (url: string) => {
  if (url === "gone") return Effect.fail(ProviderFailure.refused("sms", "404"))
  return Effect.gen(function* () {
    fetching.now += 1
    fetching.max = Math.max(fetching.max, fetching.now)
    yield* Effect.yieldNow
    fetching.now -= 1
    return { contentType: "image/png", bytes: new Uint8Array([1, 2, 3]) }
  })
}

const smsOf = (texts: TextDouble, configured: boolean) =>
  inMemorySmsProvider(
    texts.outbox,
    () => texts.fates.shift() ?? { left: true, response: "201 queued", providerMessageId: "SMours" },
    {
      configured,
      find: (_, when) =>
        Effect.sync(() => {
          texts.looked.push(when)
          return texts.found
        }),
      media: media(texts.fetching)
    }
  )

/**
 * All services that workflows need besides a store and the mail transport. Ids are deterministic. The mail parser and
 * the template engine are simple doubles. No other provider is configured.
 */
export const around = Layer.mergeAll(
  inMemoryIds,
  inMemoryRandomness,
  inMemoryMailParser,
  inMemoryReplyTemplates,
  inMemoryHtmlRenderer,
  HostedMail.closed("a setting"),
  Mailboxes.layerNone,
  OAuthProviders.layerNone,
  Layer.succeed(MailHosts, publicOnly),
  inMemoryMailComposer,
  Payments.closed("a setting"),
  Crm.closed("a setting"),
  inMemoryObjectsLayer,
  inMemoryVault,
  makeReceivers().layer,
  FileScanner.layerNone,
  inMemorySmsProvider([], undefined, { configured: false }),
  inMemoryVoiceProvider([]),
  CompiledConfigs.layer,
  Layer.sync(CpuShares, makeCpuShares),
  Classifier.layerNone,
  ReplyWriter.layerNone,
  Layer.succeed(Secrets, {
    adminKeys: ["operator"],
    sessionKeys: [sessionKey(new Uint8Array(32))],
    pepper: new Uint8Array(32)
  })
)

const withFallback = <A>(isConfigured: boolean, memory: Layer.Layer<A>, none: Layer.Layer<A>) =>
  isConfigured ? memory : none

/** Returns all services that workflows need besides a store, with these providers configured. */
export const servicesOf = (doubles: Doubles, configured: ReadonlyArray<Provider>) => {
  const { calls, crm, mail, mailbox, model, objects, payments, receivers, texts } = doubles
  const has = (provider: Provider): boolean => configured.includes(provider)
  return Layer.mergeAll(
    around,
    inMemoryEmailTransport(
      mail.outbox,
      () => mail.fates.shift() ?? { left: true, response: "250 ok", refused: [], assigned: null },
      mail.files
    ),
    smsOf(texts, has("texts")),
    inMemoryVoiceProvider(
      calls.acts,
      (call) => calls.fate(call),
      (leg) => calls.legs(leg)
    ),
    inMemoryObjects(objects),
    inMemoryHumanCheck(["a token", "another token"]),
    receivers.layer,
    withFallback(has("crm"), inMemoryCrm(crm), Crm.closed("a setting")),
    withFallback(has("hosted mail"), inMemoryHostedMail(mailbox), HostedMail.closed("a setting")),
    withFallback(has("payments"), inMemoryPayments(payments), Payments.closed("a setting")),
    withFallback(has("model"), scriptedModel(model), Layer.merge(Classifier.layerNone, ReplyWriter.layerNone))
  )
}
