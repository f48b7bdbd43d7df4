/**
 * The description of an SMS provider for `smsLayer` and the webhook routes. An adapter describes requests and decodes
 * responses. Sending, timeouts, failures, consent, media and storage are the same for all providers. Guide:
 * `docs/how-to/write-an-sms-provider.md`. Tests: `packages/connectors/test/sms`, `packages/connectors/test/twilio`.
 */
import type { TextArrived, TextProgress } from "@leadloom/core/internal/domain/conversation/TextEvent"
import { isId } from "@leadloom/core/internal/domain/Id"
import type { RecipientReport } from "@leadloom/core/internal/domain/provider/ProviderFailure"
import type { TextOrder, TextTimeRange } from "@leadloom/core/internal/port/provider/SmsProvider"
import type { Provider, ProviderRequest } from "../provider/Provider.ts"
import type { MediaStorage } from "./FetchMedia.ts"

/** A text to send. */
export interface TextToSend {
  /** The sending number, in E.164 format. */
  readonly from: string
  readonly to: string
  readonly body: string
  /** The URL for status reports of this text. Some providers accept one URL per text. */
  readonly statusUrl: string
  /** The id of this text. Other providers repeat this id in their status reports. */
  readonly reference: string
  /** The URLs of the files of an MMS. Empty for a text without files. */
  readonly mediaUrls: ReadonlyArray<string>
}

/** A webhook request whose signature is not verified yet. */
export interface SmsWebhook {
  /** The URL that the provider called, including the query. It is built from the configured public URL. */
  readonly url: string
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The body, byte for byte as received. */
  readonly body: Uint8Array
  /** The current time in epoch milliseconds. */
  readonly now: number
}

/** An inbound text. The caller bounds the lengths and replaces NUL. */
export type InboundText = Pick<TextArrived, "providerMessageId" | "from" | "to" | "body"> &
  Partial<Pick<TextArrived, "media" | "requested" | "details">>

/** A status report. */
export interface StatusReport extends TextProgress {
  /**
   * The reference of the text that the report repeats. Null when the report has none; such a report is ignored. Absent
   * when the query of the status URL identifies the text; the signature must then cover the URL.
   */
  readonly reference?: string | null
}

/** An account at an SMS provider. */
export interface SmsAccount {
  /**
   * The description of the provider for the provider client. It omits the service, `http` and the limits, which have
   * defaults.
   */
  readonly provider: Pick<Provider, "name" | "baseUrl" | "authorize" | "secrets" | "problemOf"> &
    Partial<Pick<Provider, "verdictOf" | "readRefusal" | "waitOf" | "timeoutMillis" | "maxBytes">>
  readonly send: (text: TextToSend) => Omit<ProviderRequest, "what">
  /** True if `send` sends `mediaUrls`. Default: texts with files are rejected. */
  readonly sendsMedia?: true
  /** Decodes the response to an accepted request. Returns null when the response did not come from the provider. */
  readonly readSent: (json: unknown) => TextProgress | null
  /** Returns the meaning of an error code for the recipient's number. Default: error codes have no such meaning. */
  readonly reportOf?: (code: string | null) => RecipientReport | null
  /** Verifies the signature of a webhook, in constant time. */
  readonly isSigned: (webhook: SmsWebhook) => boolean
  /** Decodes the inbound texts of a verified webhook; empty when it has none. */
  readonly readTexts: (webhook: SmsWebhook) => ReadonlyArray<InboundText>
  /** Decodes the status reports of a verified webhook; empty when it has none. */
  readonly readReports: (webhook: SmsWebhook) => ReadonlyArray<StatusReport>
  /**
   * Lists texts at the provider, to find one whose response was lost. Without this method, a lost response creates a
   * task for a person.
   */
  readonly find?: {
    readonly request: (order: TextOrder, when: TextTimeRange) => Omit<ProviderRequest, "what">
    /** Returns null when the response did not come from the provider. */
    readonly read: (json: unknown, order: TextOrder, when: TextTimeRange) => ReadonlyArray<TextProgress> | null
  }
  /** The hosts to which the API redirects for media. Without this field, media come only from the API. */
  readonly mediaStorage?: MediaStorage
  /** A request without cost that checks the credentials. */
  readonly probe: Omit<ProviderRequest, "what">
}

/** Returns the query of the status URL, which identifies the text. */
export const referenceOf = (tenantId: string, messageId: string): string =>
  new URLSearchParams({ tenant: tenantId, message: messageId }).toString()

/** Returns the tenant and message of a reference; null when it is not one of ours. */
export const readReference = (reference: string) => {
  const query = new URLSearchParams(reference)
  const [tenantId, messageId] = [query.get("tenant") ?? "", query.get("message") ?? ""]
  return tenantId === "" || !isId("msg", messageId) ? null : { tenantId, messageId }
}

const maxIdLength = 64
const maxMedia = 20
const maxDetails = 20
const maxDetailLength = 100

/**
 * Limits the lengths in an inbound text and replaces NUL, which Postgres cannot store. Returns null when the text names
 * no sender or recipient.
 */
export const textArrived = (text: InboundText): TextArrived | null => {
  const { body, details = {}, media = [], requested = null } = text
  const [providerMessageId, from, to] = [text.providerMessageId, text.from, text.to].map((part) =>
    part.trim().slice(0, maxIdLength)
  )
  if (!providerMessageId || !from || !to) return null
  return {
    _tag: "TextArrived",
    providerMessageId,
    from,
    to,
    body: body.replaceAll("\0", "\uFFFD").toWellFormed(),
    media: media.filter(({ url }) => url !== "").slice(0, maxMedia),
    requested,
    details: Object.fromEntries(
      Object.entries(details)
        .slice(0, maxDetails)
        .map(([name, value]) => [name, value.slice(0, maxDetailLength)])
    )
  }
}
