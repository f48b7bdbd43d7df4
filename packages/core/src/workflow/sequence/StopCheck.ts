import { Effect } from "effect"
import type { Contact } from "../../domain/contact/Contact.ts"
import { isOptedOut } from "../../domain/consent/OptOut.ts"
import { answersAfter, type Enrolment, type EnrolmentStop, placeOf } from "../../domain/sequence/Enrolment.ts"
import type { Sequence, SequenceStep } from "../../domain/sequence/Sequence.ts"
import { channelTexts } from "../../domain/sequence/StepText.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { OptOuts } from "../../port/repository/contact/OptOuts.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { Enrolments } from "../../port/repository/sequence/Enrolments.ts"
import { hasAnswered } from "../sending/SequenceHalt.ts"
import { undeliverableAddress } from "../contact/Undeliverable.ts"
import { spellingsOf } from "../sending/NumberSendContext.ts"
import type { FollowedVersion } from "./PlanEnrolment.ts"

/** The facts about a step that is due. */
export interface DueStep {
  readonly enrolment: Enrolment
  readonly sequence: Sequence
  readonly contact: Contact
  readonly followed: FollowedVersion
  /** Null if no step is left. */
  readonly step: SequenceStep | null
}

const leadStates: ReadonlySet<string> = new Set(["won", "lost", "archived"])

const stopOfLead = Effect.fnUntraced(function* ({ enrolment, followed }: DueStep) {
  const { leadId, leadPlace, tenantId } = enrolment
  if (leadId === null || followed.stopOn.length === 0) return null
  const lead = yield* (yield* Leads)
    .get(tenantId, leadId)
    .pipe(Effect.catchTag("LeadNotFound", () => Effect.succeed(null)))
  if (lead === null) return null
  if (followed.stopOn.includes("lead_closed") && leadStates.has(lead.state)) return "lead_closed"
  return followed.stopOn.includes("stage_changed") && placeOf(lead) !== leadPlace ? "stage_changed" : null
})

/** The kinds of addresses to which a step can send. */
export type ChannelKind = "email" | "phone"

/** Returns the kinds of addresses to which a step can send, in the order in which they are tried. */
export const channelKinds = (step: SequenceStep | null): ReadonlyArray<ChannelKind> =>
  step === null || step.kind !== "send"
    ? []
    : channelTexts(step, null).map(({ channel }) => (channel === "email" ? "email" : "phone"))

/**
 * Returns whether a contact has opted out: for addresses of each kind, or for any address since a time. An opt-out that
 * was taken back does not count.
 */
export const hasOptedOut = Effect.fnUntraced(function* (
  { contactId, tenantId }: Pick<Contact, "contactId" | "tenantId">,
  kinds: ReadonlyArray<ChannelKind>,
  since: number
) {
  const identities = yield* (yield* Contacts).identitiesOf(tenantId, contactId)
  const optOuts = yield* OptOuts
  const open = new Set(kinds)
  for (const identity of identities) {
    const known = yield* optOuts.of(tenantId, yield* spellingsOf(identity.value))
    const valid = known.filter(({ optedOut, ownPhone }) => optedOut && isOptedOut(known, ownPhone))
    if (valid.some(({ at }) => at >= since)) return true
    if (valid.length > 0 && identity.kind === "email") open.delete("email")
    if (valid.length > 0 && identity.kind === "phone") open.delete("phone")
  }
  return kinds.length > 0 && open.size === 0
})

/** The number of the newest messages of an enrolment whose delivery is checked. */
const checkedMessages = 10

/**
 * Returns whether a message of the enrolment has bounced, or the email address of the step is undeliverable. A step with
 * another channel is for such contacts, so a bounce does not stop it.
 */
const hasBounced = Effect.fnUntraced(function* ({ contact, enrolment, step }: DueStep) {
  const { email, tenantId } = contact
  const kinds = channelKinds(step)
  if (kinds.length > 1) return false
  if (kinds[0] === "email" && email !== null && (yield* undeliverableAddress(tenantId, email)) !== null) return true
  const sent = enrolment.history.flatMap(({ messageId }) => (messageId === null ? [] : [messageId]))
  if (sent.length === 0) return false
  const messages = yield* (yield* Messages).findAll(tenantId, sent.slice(-checkedMessages))
  return messages.some(({ delivery }) => delivery === "bounced")
})

/** Returns why an enrolment must stop; null if its next step may run. Runs in the unit of work that runs the step. */
export const stopOf = Effect.fnUntraced(function* (due: DueStep) {
  const { contact, enrolment, sequence } = due
  const after = answersAfter(enrolment)
  const stop = (reason: EnrolmentStop | null) => reason
  if (sequence.archivedAt !== null) return stop("sequence_deleted")
  if (contact.archivedAt !== null) return stop("contact_archived")
  if (yield* hasOptedOut(contact, channelKinds(due.step), after)) return stop("opted_out")
  if (yield* hasAnswered(enrolment, contact.contactId)) return stop("replied")
  if (yield* hasBounced(due)) return stop("bounced")
  const lead = yield* stopOfLead(due)
  if (lead !== null) return stop(lead)
  // A merge of two contacts can leave one contact with two enrolments. The older one continues.
  const isTwice = yield* (yield* Enrolments).overlaps(enrolment, contact.contactId)
  return stop(isTwice ? "enrolled_twice" : null)
})
