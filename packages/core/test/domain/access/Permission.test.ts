import { describe, expect, it } from "vitest"
import { decide, maySendEvent, type Operation, operations } from "../../../src/domain/access/Permission.ts"
import { type Principal, type Role, type Scope, scopes, type TenantSet } from "../../../src/domain/access/Principal.ts"

const idToken = (role: Role | null, tenants: TenantSet): Principal => ({
  _tag: "IdToken",
  subject: "ann",
  role,
  tenants
})

/** One caller of each kind. Callers with a single tenant have `own`. */
const callers: Readonly<Record<string, Principal>> = {
  "API key": { _tag: "ApiKey", tenantId: "own", keyId: "key_1", scopes: null },
  session: { _tag: "Session", tenantId: "own", jti: "j1" },
  "manager's session": { _tag: "Session", tenantId: "own", jti: "j2", role: "manager" },
  "admin's session": { _tag: "Session", tenantId: "own", jti: "j3", role: "admin" },
  "admin key": { _tag: "Admin" },
  "no role": idToken(null, "all"),
  agent: idToken("agent", ["own"]),
  manager: idToken("manager", ["own"]),
  admin: idToken("admin", ["own"]),
  superuser: idToken("superuser", []),
  "agent of all": idToken("agent", "all"),
  "manager of all": idToken("manager", "all"),
  "admin of all": idToken("admin", "all"),
  "source of one": { _tag: "Source", sourceId: "s1", tenantId: "own" },
  "source of all": { _tag: "Source", sourceId: "s1", tenantId: "all" }
}

const columns: ReadonlyArray<Operation> = [
  "public",
  "agent",
  "pipeline",
  "manage",
  "administer",
  "operate",
  "provision",
  "superuse",
  "mintSession",
  "self",
  "sendEvent",
  "crmAction",
  "providerEvent",
  "assistantTool"
]

/**
 * The permission matrix, one column per operation in the order above. A: allowed everywhere. O: allowed in its own
 * tenant and without a tenant, forbidden in another tenant's path, and not found for another tenant's id. T: like O,
 * but forbidden without a tenant. F: forbidden, even in its own tenant. -: allowed nowhere.
 */
const matrix: Readonly<Record<string, string>> = {
  //                 pub age pip man adm ope pro sup min sel sen crm not ass
  "API key": "        A   O   O   -   -   -   -   -   -   O   -   O   -   - ",
  session: "          A   O   -   -   -   -   -   -   -   O   -   -   -   - ",
  "manager's session": "A   O   O   O   -   -   -   -   -   O   -   -   -   - ",
  "admin's session": "  A   O   O   O   O   -   -   -   -   O   -   -   -   - ",
  "admin key": "      A   A   A   A   A   A   A   -   A   A   -   A   -   - ",
  "no role": "        A   -   -   -   -   -   -   -   -   -   -   -   -   - ",
  agent: "            A   O   O   -   -   -   -   -   O   O   -   -   -   - ",
  manager: "          A   O   O   O   -   -   -   -   O   O   -   -   -   - ",
  admin: "            A   O   O   O   O   T   F   -   O   O   -   -   -   - ",
  superuser: "        A   A   A   A   A   A   A   A   A   A   -   -   -   - ",
  "agent of all": "   A   A   A   -   -   -   -   -   A   A   -   -   -   - ",
  "manager of all": " A   A   A   A   -   -   -   -   A   A   -   -   -   - ",
  "admin of all": "   A   A   A   A   A   A   A   -   A   A   -   -   -   - ",
  "source of one": "  A   -   -   -   -   -   -   -   -   -   O   -   -   - ",
  "source of all": "  A   -   -   -   -   -   -   -   -   -   A   -   -   - "
}

const expected: Readonly<Record<string, string>> = {
  A: "allow allow allow allow allow",
  O: "allow forbidden allow hidden allow",
  T: "allow forbidden allow hidden forbidden",
  F: "forbidden forbidden hidden hidden forbidden",
  "-": "forbidden forbidden forbidden forbidden forbidden"
}

const cells = Object.entries(matrix).flatMap(([caller, row]) =>
  row
    .trim()
    .split(/\s+/u)
    .map((cell, column) => [caller, columns[column] ?? "public", cell] as const)
)

describe("decide", () => {
  it("has a cell for every caller and operation", () => {
    expect(operations).toEqual(columns)
    expect(Object.keys(matrix)).toEqual(Object.keys(callers))
    expect(cells).toHaveLength(columns.length * Object.keys(callers).length)
  })

  it.each(cells)("applies the matrix to the %s for %s: %s", (caller, operation, cell) => {
    const principal = callers[caller]
    if (principal === undefined) throw new Error(caller)
    const decisions = [
      decide(principal, operation, "own"),
      decide(principal, operation, "other"),
      decide(principal, operation, "own", "resource"),
      decide(principal, operation, "other", "resource"),
      decide(principal, operation, null)
    ]
    expect(decisions.join(" ")).toBe(expected[cell])
  })

  it("allows a person without a tenant only public operations", () => {
    const nowhere = idToken("admin", [])
    for (const operation of operations) {
      expect(decide(nowhere, operation, null)).toBe(operation === "public" ? "allow" : "forbidden")
    }
  })
})

describe("the scopes of an API key", () => {
  const key = (limits: ReadonlyArray<Scope> | null): Principal => ({
    _tag: "ApiKey",
    tenantId: "own",
    keyId: "key_1",
    scopes: limits
  })
  const held = (...limits: ReadonlyArray<Scope>): Principal => key(limits)
  /** Reading and changing the agents' work, and reading and running the pipeline. */
  const decisionsOf = (principal: Principal) =>
    [
      decide(principal, "agent", "own", "path", "read"),
      decide(principal, "agent", "own", "path", "write"),
      decide(principal, "pipeline", "own", "path", "read"),
      decide(principal, "pipeline", "own", "path", "write")
    ].map((decision) => (decision === "allow" ? "+" : "-"))

  it.each([
    [["read"], "+---"],
    [["messages"], "-+--"],
    [["pipeline"], "--++"],
    [["read", "messages"], "++--"],
    [["read", "pipeline"], "+-++"],
    [["read", "messages", "pipeline"], "++++"],
    [[], "----"]
  ] satisfies ReadonlyArray<[ReadonlyArray<Scope>, string]>)("%s cover %s", (limits, expected) => {
    expect(decisionsOf(held(...limits)).join("")).toBe(expected)
  })

  it("treat an operation without a given access as a change", () => {
    expect(decide(held("read"), "agent", "own")).toBe("forbidden")
    expect(decide(held("messages"), "agent", "own")).toBe("allow")
  })

  it("never extend the permissions of a key, and never restrict public operations", () => {
    for (const operation of operations) {
      const every = decide(held(...scopes), operation, "own")
      expect([operation, every]).toEqual([operation, decide(key(null), operation, "own")])
    }
    expect(decide(held(), "public", null)).toBe("allow")
    expect(decide(held(...scopes), "agent", "other", "path", "read")).toBe("forbidden")
    expect(decide(held(...scopes), "agent", "other", "resource", "read")).toBe("hidden")
  })
})

describe("maySendEvent", () => {
  it("accepts only the key of the given source and tenant", () => {
    const one: Principal = { _tag: "Source", sourceId: "s1", tenantId: "own" }
    const all: Principal = { _tag: "Source", sourceId: "s1", tenantId: "all" }
    expect(maySendEvent(one, "own", "s1")).toBe(true)
    expect(maySendEvent(one, "own", "s2")).toBe(false)
    expect(maySendEvent(one, "other", "s1")).toBe(false)
    expect(maySendEvent(all, "other", "s1")).toBe(true)
    expect(maySendEvent({ _tag: "Admin" }, "own", "s1")).toBe(false)
    expect(maySendEvent({ _tag: "ApiKey", tenantId: "own", keyId: "key_1", scopes: null }, "own", "s1")).toBe(false)
  })
})
