import { expect } from "vitest"
import { type Answer, at, type Call, textAt } from "./TestServer.ts"

/** Calls every endpoint that an agent may use for the contact `found`. */
export const useContactViews = async (
  use: (name: string, call?: Call) => Promise<Answer>,
  as: string,
  found: Record<string, string>
): Promise<void> => {
  expect(at((await use("contacts.archive", { as })).json, "archived")).toBe(true)
  expect((await use("contacts.list", { as })).text).not.toContain(`"${found["contact_id"]}"`)
  expect(at((await use("contacts.restore", { as })).json, "archived")).toBe(false)
  expect((await use("contactViews.detail", { as })).status).toBe(200)
  expect((await use("contactViews.timeline", { as })).status).toBe(200)
  expect((await use("contactViews.enriched", { as, body: {} })).status).toBe(200)
  const resolved = await use("contacts.resolve", { as, body: { email: "ann@customer.example", create: true } })
  const duplicate = textAt(resolved.json, "contact", "id")
  const pair = { primary_contact_id: found["contact_id"], duplicate_contact_id: duplicate }
  expect((await use("contactMerges.suggestions", { as })).json).toEqual({ suggestions: [], next_cursor: null })
  expect((await use("contactMerges.dismiss", { as, body: pair })).json).toEqual({ success: true })
  const merged = await use("contactMerges.merge", { as, body: pair })
  found["merge_id"] = textAt(merged.json, "merge_id")
  expect((await use("contactMerges.undo", { as })).status).toBe(200)
  await use("contacts.archive", { as })
}
