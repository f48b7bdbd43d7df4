/**
 * Clearances for tests of transports. Product code gets a clearance only from `maySend`.
 */
import { type OutgoingMail, recipientsOf } from "@leadloom/core/internal/domain/email/OutgoingMail"
import type { Clearance } from "@leadloom/core/internal/domain/consent/Clearance"
import { maySend, type SendContext } from "@leadloom/core/internal/domain/consent/MaySend"

const clearanceOf = (of: SendContext): Clearance => {
  const verdict = maySend(of)
  if (verdict._tag === "Allow") return verdict.clearance
  throw new Error(`maySend says ${verdict._tag}`)
}

/** Returns the clearance for a mail that an agent of the tenant sends. */
export const clearedMail = (tenantId: string, mail: OutgoingMail): Clearance =>
  clearanceOf({
    channel: "email",
    by: "person",
    tenantId,
    hipaa: false,
    now: 0,
    recipients: recipientsOf(mail),
    connected: true,
    optedOut: false,
    undeliverable: [],
    override: null,
    quietUntil: null
  })

/** Returns the clearance for a text that an agent of the tenant sends. */
export const clearedText = (tenantId: string, to: string, from = "+15550100000"): Clearance =>
  clearanceOf({
    channel: "sms",
    by: "person",
    tenantId,
    hipaa: false,
    now: 0,
    recipient: to,
    sender: from,
    optedOut: false,
    blocked: false,
    undeliverable: null,
    override: null,
    quietUntil: null,
    repliesInThread: 0,
    repliesToCorrespondent: 0
  })
