import { Clock, Effect } from "effect"
import { maxOutgoingTextLength } from "../../domain/conversation/OutgoingText.ts"
import { describeReason } from "../../domain/reason/Reason.ts"
import { maySend } from "../../domain/consent/MaySend.ts"
import type { SendOverride } from "../../domain/consent/Override.ts"
import type { Address } from "../../domain/address/Address.ts"
import type { Contact } from "../../domain/contact/Contact.ts"
import { EmailClosed } from "../../domain/email/Grant.ts"
import type { Composition } from "../../domain/sending/Composition.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { connectedAccounts } from "../mailbox/Accounts.ts"
import { readTextSendContext } from "../sending/NumberSendContext.ts"
import { planInConversation } from "../sending/PlanComposition.ts"
import { requireAllowed } from "../sending/SendOnce.ts"
import { TextDenied, TextTooLong } from "../sms/SendText.ts"

/** A composed message to a contact. */
export interface ComposedFor {
  readonly tenant: Tenant
  readonly contact: Contact
  readonly composition: Composition
  readonly override: SendOverride | null
}

/**
 * Fails if the message could not be sent now, so that a person learns of a wrong recipient, an opt-out or a missing
 * connection at once and not at the scheduled time. Returns the sender that the mail of a tenant with several accounts
 * keeps, so that it never leaves from another account when the default account changes. Null: the sender is stated, or
 * follows from the account of the answered mail, or the only account sends. Runs inside a unit of work.
 */
export const requireSendable = Effect.fnUntraced(function* ({ composition, contact, override, tenant }: ComposedFor) {
  const { tenantId } = tenant
  const now = yield* Clock.currentTimeMillis
  if (composition.channel === "email") {
    if (tenant.hipaa) return yield* new EmailClosed({ tenantId })
    const accounts = yield* connectedAccounts(tenantId)
    const plan = yield* planInConversation(contact, composition, accounts)
    yield* requireAllowed({ tenant, override }, plan, now)
    const isReceived = plan.answers !== null && plan.answers.grantId !== null
    const kept: Address | null = accounts.several && composition.from === null && !isReceived ? plan.from : null
    return kept
  }
  if (composition.body.length > maxOutgoingTextLength) return yield* new TextTooLong({ limit: maxOutgoingTextLength })
  const verdict = maySend(yield* readTextSendContext({ tenant, contact, by: "person", now, override }))
  if (verdict._tag !== "Deny") return null
  const reasons = verdict.reasons.map((one) => describeReason(one))
  return yield* new TextDenied({ tenantId, reasons, overridable: verdict.overridable })
})
