import { describe, expect, it } from "vitest"
import { includesRole, parseRole, roles } from "../../../src/domain/access/Principal.ts"

describe("Role", () => {
  it("orders agent, manager, admin and superuser; each includes the lower ones", () => {
    const table = roles.map((role) => roles.map((needed) => (includesRole(role, needed) ? 1 : 0)).join(""))
    expect(roles).toEqual(["agent", "manager", "admin", "superuser"])
    expect(table).toEqual(["1000", "1100", "1110", "1111"])
  })

  it("accepts only exact role names", () => {
    expect(roles.map(parseRole)).toEqual(roles)
    for (const claim of ["Admin", "owner", "", null, undefined, 3, ["admin"], "toString"]) {
      expect(parseRole(claim)).toBeNull()
    }
  })
})
