import { describe, expect, it } from "vitest"
import { checkTenantId, reservedTenantIds } from "../../src/domain/TenantId.ts"

describe("checkTenantId", () => {
  it.each(["t1", "acme", "9lives", "acme-co_2", "a".repeat(63)])("accepts %s", (id) => {
    expect(checkTenantId(id)).toBeNull()
  })

  it.each(["", "a", "-ab", "_ab", "Acme", "ac me", "ac.me", "acmé", "a/b", "acme\n", "a".repeat(64)])(
    "refuses %j for its spelling",
    (id) => {
      expect(checkTenantId(id)).toContain("2 to 63 characters")
    }
  )

  it("rejects words that occur in paths", () => {
    for (const id of ["presets", "automation", "tenants", "health"]) expect(checkTenantId(id)).toContain(`"${id}"`)
    expect([...reservedTenantIds].every((id) => checkTenantId(id) !== null)).toBe(true)
  })
})
