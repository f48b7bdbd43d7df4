import { contactToJson } from "@leadloom/api/internal/schema/ContactRecord"
import { orNull } from "@leadloom/api/internal/schema/Wire"
import * as Wire from "@leadloom/api/internal/contact/ContactDetail"
import type { readContactDetail } from "@leadloom/core/internal/workflow/contact/ReadContactDetail"
import type { Effect } from "effect"
import { identityToJson } from "./ContactIdentities.ts"
import type { MessageToJson } from "../inbox/Conversations.ts"

type Detail = Effect.Success<ReturnType<typeof readContactDetail>>

/** Encodes the full view of a contact. */
export const detailToJson = (detail: Detail, messageToJson: MessageToJson): typeof Wire.ContactDetail.Type => ({
  contact: contactToJson(detail.contact),
  identities: detail.identities.map(identityToJson),
  scoring: orNull(detail.scored, Wire.scoringToJson),
  source: orNull(detail.first, Wire.originToJson),
  counts: {
    messages: detail.counts.messages,
    leads: detail.counts.leads,
    open_leads: detail.counts.openLeads,
    open_tasks: detail.counts.openTasks
  },
  open_leads: detail.openLeads.map(Wire.contactLeadToJson),
  messages: detail.latest.map(messageToJson),
  pending_draft: orNull(detail.draft, Wire.contactDraftToJson),
  open_tasks: detail.tasks.map(Wire.timelineTaskToJson),
  merges: detail.merges.map(Wire.mergeIntoToJson)
})
