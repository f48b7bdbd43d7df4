import type { EventType } from "@leadloom/core/internal/domain/webhook/Event"

/** The moment at which each event is recorded, for `docs/reference/events.md`. */
export const eventNotes: Readonly<Record<EventType, string>> = {
  "lead.received": "A new lead exists: a message opened it, or a request created it.",
  "lead.updated":
    "Fields of a lead changed: subject, value, expected date, tags, loss reason or custom fields, by a request or a rule. Its state, stage, assignment and score have events of their own.",
  "lead.scored": "A lead has a new score, even if the score did not change. A run or a request computed it.",
  "lead.tier_changed":
    "The tier of a lead changed. It follows the `lead.scored` event of the same score. The first tier is not reported.",
  "lead.state_changed":
    "The state of a lead changed: by a request, by a rule, or because the contact wrote again to a lost or archived lead.",
  "lead.stage_changed":
    "A lead is in another stage or pipeline: by a request, or because its state changed. A change of the state is also reported as `lead.state_changed`. If a manager removes a stage, its leads move without events.",
  "lead.assigned":
    "The user or the team of a lead changed: by a request, by a rule, or because the user was deactivated or the team deleted.",
  "lead.contact_replied": "A person wrote a further message to an existing lead. Automatic mail is not reported.",
  "contact.created": "A new contact exists.",
  "contact.updated": "A contact was changed, tagged, archived, restored or merged, or a merge was undone.",
  "conversation.updated":
    "A conversation has a new message in either direction, or a person labelled a message with the contact that it concerns.",
  "draft.created": "A draft exists: the pipeline wrote a reply that waits for approval, or a person saved a draft.",
  "draft.updated":
    "A person changed a draft, or the approved reply of the pipeline failed permanently and waits for approval again.",
  "draft.approved": "A person released a draft for sending. `message.sent` or `message.failed` follows.",
  "draft.dismissed":
    "A person dismissed a reply of the pipeline or deleted a draft. A newer message replaces a reply of the pipeline without this event.",
  "message.sent": "The mail server or the provider accepted an outbound message.",
  "message.delivered": "The provider reported that a text arrived.",
  "message.bounced": "A sent message was returned. The contact counts as waiting again.",
  "message.failed":
    "An outbound message failed permanently, before or after a provider accepted it. The contact counts as waiting again.",
  "scheduled_message.created": "A person scheduled a message, or sent one with an undo window.",
  "scheduled_message.updated":
    "A person changed a scheduled message, or the server moved it to the end of the contact's quiet hours.",
  "scheduled_message.canceled": "A person or a newer message canceled a scheduled message.",
  "scheduled_message.sent":
    "A scheduled message became part of the conversation at its time. `message.sent` or `message.failed` follows.",
  "scheduled_message.failed": "A rule or a missing connection prevented a scheduled message at its time.",
  "sequence.enrolled": "A contact was enrolled in a sequence.",
  "sequence.step_sent":
    "A step of a sequence became a message of the conversation. `message.sent` or `message.failed` follows.",
  "sequence.completed": "An enrolment has run all steps of its sequence.",
  "sequence.stopped":
    "An enrolment stopped: `stop_reason` names a reply, a bounce, an opt-out, another condition, or a person. A condition is found before the next step.",
  "sequence.held_out":
    "A contact is in the holdout group of a sequence. It gets no message of the sequence, and no other event about the enrolment follows.",
  "sequence.enrolment_paused":
    "An enrolment was paused: `pause_reason` names a person, or a step that failed repeatedly because of a defect of the server.",
  "sequence.enrolment_resumed": "A person continued a paused enrolment.",
  "sequence.step_skipped": "A person skipped the next step of an enrolment.",
  "sequence.paused":
    "A sequence was paused by a person, or because bounces, complaints or opt-outs exceeded a limit. No step runs until it is resumed.",
  "sequence.resumed": "A person continued a paused sequence.",
  "link.opened":
    "A link in an email of a sequence was opened for the first time, by the contact or by a program that checks links. Only with `link_tracking` of the tenant.",
  "task.created": "A task exists: a person, a rule, a recurrence or the server created it.",
  "task.updated": "A person changed a task without completing it.",
  "task.completed":
    "A person completed a task. The approval or dismissal of a draft completes its task without this event.",
  "task.reminder": "The `remind_at` of a task that is not done has come. The event is recorded once.",
  "user.created":
    "A new user exists: an admin created it, or a person used an ID token or a session for the first time.",
  "user.updated": "A user was changed or activated again.",
  "user.deactivated": "A user was deactivated. The open work of the user is reassigned afterwards.",
  "team.created": "A new team exists.",
  "team.updated": "The name or the members of a team changed.",
  "team.deleted": "A team was deleted.",
  "thread.corrected": "A person split, joined or corrected email threads, or undid such a correction.",
  "note.created": "A person wrote a private note about a conversation. `new_mentions` names the users to notify.",
  "note.updated":
    "The author changed a private note. `mentions` contains all users of the new text, and `new_mentions` the users to notify.",
  "note.deleted": "The author or a manager deleted a private note.",
  "rule.notified": "A matched rule has the action `notify`, or a person ran a macro with this action.",
  "grant.expired": "The owner of a connected email account has to sign in again.",
  "email.connection_failed":
    "The server has not been able to read a mailbox for an hour. The event is sent once per failure.",
  "crm.signed_out": "The CRM rejected the stored tokens of a location. The location has to be connected again."
}
