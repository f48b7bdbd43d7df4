import { Effect } from "effect"
import type { SendOverride } from "../../domain/consent/Override.ts"
import type { Contact } from "../../domain/contact/Contact.ts"
import type { MessageId } from "../../domain/Id.ts"
import type { Composition } from "../../domain/sending/Composition.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import type { UploadHolder } from "../../domain/upload/Upload.ts"
import { planInConversation } from "../sending/PlanComposition.ts"
import type { RenderedBody } from "../sending/ReserveSend.ts"
import { admitNew, checkNew } from "../sending/SendOnce.ts"
import { admitText, checkText } from "../sms/SendText.ts"

/** A composed message that becomes a send under its own key. */
export interface ComposedSend<E, R> {
  readonly tenant: Tenant
  readonly contact: Contact
  readonly composition: Composition
  /** The body of an email, rendered before the unit of work. */
  readonly rendered: RenderedBody
  readonly key: string
  readonly fingerprint: string
  readonly override: SendOverride | null
  readonly holder: UploadHolder
  readonly messageId?: MessageId
  /** The author of the message. Default: a person. `assistant`: a sequence, whose texts a person has written. */
  readonly actor?: "agent" | "assistant"
  /** False if a worker transmits the message. */
  readonly claimed: boolean
  /** Runs in the same unit of work, after the message is allowed and before it is reserved. */
  readonly besides: Effect.Effect<void, E, R>
}

/** Decides with `maySend` about a composed message on its channel, and reserves it. Runs inside a unit of work. */
export const admitComposition = Effect.fnUntraced(function* <E, R>(send: ComposedSend<E, R>) {
  const { composition, contact, messageId, rendered, ...rest } = send
  const { attachments, body, channel } = composition
  const common = { ...rest, attachments, ...(messageId !== undefined && { messageId }) }
  if (channel === "sms") return yield* admitText({ ...common, contact, body })
  return yield* admitNew({
    ...common,
    body: rendered,
    plan: (accounts) => planInConversation(contact, composition, accounts)
  })
})

/** Decides with `maySend` about a composed message on its channel, as `admitComposition` does. Reserves nothing. */
export const checkComposition = Effect.fnUntraced(function* (
  send: Pick<ComposedSend<never, never>, "composition" | "contact" | "tenant">
) {
  const { composition, contact, tenant } = send
  if (composition.channel === "sms") yield* checkText({ tenant, contact, body: composition.body })
  else yield* checkNew({ tenant, plan: (accounts) => planInConversation(contact, composition, accounts) })
})
