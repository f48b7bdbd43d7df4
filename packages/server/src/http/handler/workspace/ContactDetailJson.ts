import { contactToJson } from "@leadloom/api/schema/ContactRecord"
import { timelineTaskToJson, type ContactDetail, contactLeadToJson } from "@leadloom/api/workspace/ContactDetail"
import { isoTime } from "@leadloom/api/schema/Field"
import type { readContactDetail } from "@leadloom/core/workflow/contact/ReadContactDetail"
import type { Draft } from "@leadloom/core/domain/draft/Draft"
import type { Lead } from "@leadloom/core/domain/lead/Lead"
import type { Effect } from "effect"
import type { LinkTo } from "./Attachments.ts"
import { messageToJson } from "./Conversations.ts"

type Detail = Effect.Success<ReturnType<typeof readContactDetail>>
type Json = typeof ContactDetail.Type

const scoringToJson = ({ classification, factors, leadId, score, tier }: Lead): Json["scoring"] => ({
  lead_id: leadId,
  score,
  tier,
  factors,
  classification
})

const draftToJson = (draft: Draft): Json["pending_draft"] => ({
  id: draft.draftId,
  channel: draft.channel,
  text: draft.text,
  head_message_id: draft.headMessageId,
  created_at: isoTime(draft.createdAt)
})

/** Encodes the full view of a contact. */
export const detailToJson = (detail: Detail, linkTo: LinkTo): Json => ({
  contact: contactToJson(detail.contact),
  identities: detail.identities.map(({ identity, undeliverable }) => ({
    kind: identity.kind,
    value: identity.value,
    source: identity.source ?? null,
    undeliverable
  })),
  scoring: detail.scored === null ? null : scoringToJson(detail.scored),
  source:
    detail.first === null
      ? null
      : { channel: detail.first.channel, source: detail.first.source, at: isoTime(detail.first.timestamp) },
  counts: {
    messages: detail.counts.messages,
    leads: detail.counts.leads,
    open_leads: detail.counts.openLeads,
    open_tasks: detail.counts.openTasks
  },
  open_leads: detail.openLeads.map(contactLeadToJson),
  messages: detail.latest.map((message) => messageToJson(message, linkTo)),
  pending_draft: detail.draft === null ? null : draftToJson(detail.draft),
  open_tasks: detail.tasks.map(timelineTaskToJson),
  merges: detail.merges.map(({ duplicateId, mergedAt, mergeId }) => ({
    merge_id: mergeId,
    duplicate_contact_id: duplicateId,
    merged_at: isoTime(mergedAt)
  }))
})
