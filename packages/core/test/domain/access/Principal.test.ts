import { describe, expect, it } from "vitest"
import { principalName, tenantsOf } from "../../../src/domain/access/Principal.ts"

describe("Principal", () => {
  it("reaches the tenants of its credential; a superuser reaches all", () => {
    expect(tenantsOf({ _tag: "ApiKey", tenantId: "t1", keyId: "key_1", scopes: null })).toEqual(["t1"])
    expect(tenantsOf({ _tag: "Session", tenantId: "t1", jti: "j" })).toEqual(["t1"])
    expect(tenantsOf({ _tag: "Admin" })).toBe("all")
    expect(tenantsOf({ _tag: "IdToken", subject: "ann", role: "admin", tenants: ["t1", "t2"] })).toEqual(["t1", "t2"])
    expect(tenantsOf({ _tag: "IdToken", subject: "ann", role: "agent", tenants: "all" })).toBe("all")
    expect(tenantsOf({ _tag: "IdToken", subject: "ann", role: "superuser", tenants: [] })).toBe("all")
    expect(tenantsOf({ _tag: "Source", sourceId: "s", tenantId: "t1" })).toEqual(["t1"])
    expect(tenantsOf({ _tag: "Source", sourceId: "s", tenantId: "all" })).toBe("all")
  })

  it("returns different names for different kinds of callers", () => {
    const names = [
      principalName({ _tag: "ApiKey", tenantId: "t1", keyId: "key_x", scopes: null }),
      principalName({ _tag: "Session", tenantId: "t1", jti: "x" }),
      principalName({ _tag: "Admin" }),
      principalName({ _tag: "IdToken", subject: "x", role: "agent", tenants: [] }),
      principalName({ _tag: "Source", sourceId: "x", tenantId: "all" })
    ]
    expect(names).toEqual(["key_x", "session:x", "admin", "user:x", "source:x"])
  })
})
