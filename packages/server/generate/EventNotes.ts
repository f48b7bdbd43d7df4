import type { EventType } from "@leadloom/core/internal/domain/webhook/Event"

/** The moment at which each event is recorded, for `docs/reference/events.md`. */
export const eventNotes: Readonly<Record<EventType, string>> = {
  "lead.received": "A new lead exists: a message opened it, or a request created it.",
  "lead.scored": "A lead has a new score, even if the score did not change. A run or a request computed it.",
  "lead.tier_changed":
    "The tier of a lead changed. It follows the `lead.scored` event of the same score. The first tier is not reported.",
  "lead.state_changed":
    "The state of a lead changed: by a request, by a rule, or because the contact wrote again to a lost or archived lead.",
  "lead.stage_changed":
    "A lead is in another stage or pipeline: by a request, or because its state changed. A change of the state is also reported as `lead.state_changed`. If a manager removes a stage, its leads move without events.",
  "lead.contact_replied": "A person wrote a further message to an existing lead. Automatic mail is not reported.",
  "contact.created": "A new contact exists.",
  "contact.updated": "A contact was changed, tagged, archived, restored or merged, or a merge was undone.",
  "conversation.updated":
    "A conversation has a new message in either direction, or a person labelled a message with the contact that it concerns.",
  "rule.notified": "A matched rule has the action `notify`.",
  "grant.expired": "The owner of a connected email account has to sign in again.",
  "crm.signed_out": "The CRM rejected the stored tokens of a location. The location has to be connected again."
}
