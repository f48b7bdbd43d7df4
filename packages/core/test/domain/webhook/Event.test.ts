import { describe, expect, it } from "vitest"
import { eventTypes } from "../../../src/domain/webhook/Event.ts"

describe("eventTypes", () => {
  it("are the eight of the specification, what rules tell, and what is told of accounts and of a CRM", () => {
    expect(eventTypes).toEqual([
      "lead.received",
      "lead.scored",
      "lead.tier_changed",
      "lead.state_changed",
      "lead.contact_replied",
      "contact.created",
      "contact.updated",
      "conversation.updated",
      "rule.notified",
      "grant.expired",
      "crm.signed_out"
    ])
  })
})
