/**
 * Links in the emails of sequences: stores them, replaces them at the handover, and records that they were opened. The
 * rules that react to it belong to `workflow/cause`. Tests: `packages/testkit/src/suite/sequence/LinkSuite.ts`.
 */
import { Clock, Effect } from "effect"
import { normalizeEmail } from "../../domain/address/Address.ts"
import { Secrets } from "../../domain/access/Secrets.ts"
import { PublicUrl } from "../../domain/consent/UnsubscribeLink.ts"
import { linksIn, rewriteLinks } from "../../domain/link/RewriteLinks.ts"
import { linkToken, linkTokenBytes, trackedUrl, type TrackedLink } from "../../domain/link/TrackedLink.ts"
import { tombstone } from "../../domain/privacy/Erasure.ts"
import type { MailReservation } from "../../domain/sending/Reservation.ts"
import type { Enrolment } from "../../domain/sequence/Enrolment.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { TrackingConsents } from "../../port/repository/contact/TrackingConsents.ts"
import { TrackedLinks } from "../../port/repository/sequence/TrackedLinks.ts"
import { Randomness } from "../../port/system/Ids.ts"

/** Returns the recorded consent of an address to the recording of opened links; null if none was recorded. */
export const trackingConsentOf = Effect.fnUntraced(function* (tenantId: string, address: string) {
  const email = normalizeEmail(address)
  return yield* (yield* TrackingConsents).of(tenantId, [email, tombstone(email, (yield* Secrets).pepper)])
})

/**
 * Returns whether opened links of an address may be recorded: the tenant has chosen it and is no HIPAA tenant, and the
 * contact has not opted out.
 */
export const mayTrack = Effect.fnUntraced(function* ({ config, hipaa, tenantId }: Tenant, email: string) {
  if (!config.linkTracking || hipaa) return false
  return (yield* trackingConsentOf(tenantId, email))?.optedOut !== true
})

/**
 * Stores the links of a reserved email, so that every attempt to send it contains the same URLs. Runs inside the unit of
 * work that reserves the email.
 */
export const storeLinks = Effect.fnUntraced(function* (
  tenant: Tenant,
  { contactId, correspondent, mail, messageId }: MailReservation,
  { enrolmentId, sequenceId }: Pick<Enrolment, "enrolmentId" | "sequenceId">,
  step: string,
  now: number
) {
  const publicUrl = yield* PublicUrl
  if (publicUrl === null || mail.html === null || !(yield* mayTrack(tenant, correspondent))) return
  const { bytes } = yield* Randomness
  const about = { tenantId: tenant.tenantId, contactId, messageId, sequenceId, enrolmentId, step }
  const unopened = { sentAt: null, opens: 0, firstOpenedAt: null, lastOpenedAt: null, createdAt: now }
  const links = linksIn(mail.html, publicUrl).map((url, position): TrackedLink => ({
    ...about,
    ...unopened,
    token: linkToken(bytes(linkTokenBytes)),
    position,
    url
  }))
  if (links.length > 0) yield* (yield* TrackedLinks).insert(links)
})

/**
 * Returns the HTML of an email of a sequence for its handover, with the URLs of its tracked links. The settings and the
 * consent are read again, because they may have changed since the reservation.
 */
export const withTrackedLinks = Effect.fnUntraced(function* (
  tenant: Tenant,
  { correspondent, mail, messageId }: MailReservation
) {
  const publicUrl = yield* PublicUrl
  const { html } = mail
  if (publicUrl === null || html === null || !(yield* mayTrack(tenant, correspondent))) return html
  const links = yield* TrackedLinks
  const stored = yield* links.ofMessage(tenant.tenantId, messageId)
  if (stored.length === 0) return html
  yield* links.markSent(tenant.tenantId, messageId, yield* Clock.currentTimeMillis)
  return rewriteLinks(html, publicUrl, new Map(stored.map((link) => [link.url, trackedUrl(publicUrl, link)])))
})
