import { describe, expect, it } from "vitest"
import { eventTypes } from "../../../src/domain/webhook/Event.ts"

const specified = [
  "lead.received",
  "lead.scored",
  "lead.tier_changed",
  "lead.state_changed",
  "lead.contact_replied",
  "contact.created",
  "contact.updated",
  "conversation.updated"
] as const

describe("eventTypes", () => {
  it("contain the eight of the specification, and each type once", () => {
    expect(specified.filter((type) => !eventTypes.includes(type))).toEqual([])
    expect(new Set(eventTypes).size).toBe(eventTypes.length)
  })
})
