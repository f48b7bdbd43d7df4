import type { NewEvent } from "../webhook/Event.ts"
import type { TrackedLink } from "./TrackedLink.ts"

/** Builds the outbound event about the first counted opening of a link. */
export const linkEvent = (link: TrackedLink, contactId: string, openedAt: number): NewEvent => ({
  type: "link.opened",
  tenantId: link.tenantId,
  data: {
    contact_id: contactId,
    message_id: link.messageId,
    sequence_id: link.sequenceId,
    enrolment_id: link.enrolmentId,
    step: link.step,
    url: link.url,
    opened_at: new Date(openedAt).toISOString()
  }
})
