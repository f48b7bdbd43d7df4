/**
 * Tracked links: the links in emails of sequences whose openings are recorded, if the tenant has chosen so. Reading and
 * storing them belongs to `workflow/link`. Tests: `packages/core/test/domain/link`,
 * `packages/testkit/src/suite/sequence/LinkSuite.ts`, `packages/server/test/http/contact/Links.test.ts`.
 */
import * as Base64Url from "effect/encoding/Base64Url"
import { Schema } from "effect"
import { Time } from "../Field.ts"
import { ContactId, EnrolmentId, MessageId, SequenceId } from "../Id.ts"
import { checkTenantId } from "../TenantId.ts"
import { TaggedError } from "../TaggedError.ts"

/** The maximum number of tracked links of one message. Further links stay as they are. */
export const maxTrackedLinks = 100

/** The maximum length of the URL of a tracked link, in characters. Longer links stay as they are. */
export const maxTrackedUrlLength = 2_048

/** The maximum number of openings of a link that are counted. */
export const maxLinkOpens = 100

/**
 * The time after the handover of a message in which openings do not count, in milliseconds. Programs that check links
 * for viruses open them in this time. Value Builder System uses the same time (decision 154).
 */
export const linkScanMillis = 2_000

/** A link of one message. */
export class TrackedLink extends Schema.Opaque<TrackedLink>()(
  Schema.Struct({
    tenantId: Schema.String,
    /** The random part of the URL in the message. */
    token: Schema.String,
    /** The order of the links in the message, from 0. */
    position: Schema.Int,
    url: Schema.String,
    contactId: ContactId,
    messageId: MessageId,
    sequenceId: SequenceId,
    enrolmentId: EnrolmentId,
    step: Schema.String,
    /** The time of the last handover to the provider. Null: not handed over yet. */
    sentAt: Schema.NullOr(Time),
    opens: Schema.Int,
    firstOpenedAt: Schema.NullOr(Time),
    lastOpenedAt: Schema.NullOr(Time),
    createdAt: Time
  })
) {}

/** The link is invalid, or its data was erased or has expired. */
export class LinkNotFound extends TaggedError("LinkNotFound")<{}> {}

/** In bytes: 128 random bits cannot be guessed. */
export const linkTokenBytes = 16

/** Returns a new token. */
export const linkToken = (random: Uint8Array): string => Base64Url.encode(random)

const tokenPattern = /^([\w-]{22})\.([a-z0-9_-]{2,63})$/u

/** Reads the last part of the URL of a tracked link. Returns null if no link has such a URL. */
export const readLinkToken = (text: string): Pick<TrackedLink, "tenantId" | "token"> | null => {
  const [, token, tenantId] = tokenPattern.exec(text) ?? []
  if (token === undefined || tenantId === undefined) return null
  return checkTenantId(tenantId) === null ? { tenantId, token } : null
}

/** Returns the URL that a message contains instead of the URL of the link. */
export const trackedUrl = (publicUrl: string, { tenantId, token }: Pick<TrackedLink, "tenantId" | "token">): string =>
  `${publicUrl}/api/v1/public/links/${token}.${tenantId}`

/** Returns whether an opening at a time counts: the message has left, and no program checks its links any more. */
export const countsAsOpen = ({ opens, sentAt }: Pick<TrackedLink, "opens" | "sentAt">, at: number): boolean =>
  sentAt !== null && at >= sentAt + linkScanMillis && opens < maxLinkOpens

/** Returns a link after an opening. */
export const openedAt = (link: TrackedLink, at: number): TrackedLink => ({
  ...link,
  opens: link.opens + 1,
  firstOpenedAt: link.firstOpenedAt ?? at,
  lastOpenedAt: at
})
