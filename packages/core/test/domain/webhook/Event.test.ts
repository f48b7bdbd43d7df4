import { describe, expect, it } from "vitest"
import { eventTypes } from "../../../src/domain/webhook/Event.ts"

describe("eventTypes", () => {
  it("contain the eight of the specification, and those of rules, email accounts and CRMs", () => {
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
