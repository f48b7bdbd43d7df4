import { describe, expect, it } from "vitest"
import {
  contractOperations,
  operationOf,
  type OperationName,
  rawOperations
} from "../../../src/domain/access/Operations.ts"
import { type Caller, callerNames, reachesOf, verdictOf } from "../../../src/domain/access/PermissionMatrix.ts"

const isOperation = (name: string): name is OperationName => name in contractOperations || name in rawOperations
const names = [...Object.keys(contractOperations), ...Object.keys(rawOperations)].filter(isOperation)
const gated = names.filter((name) => operationOf(name).class !== "public")

/** Returns the callers that an operation admits, apart from public operations. */
const allowed = (reach: "own" | "other", name: OperationName): ReadonlyArray<Caller> =>
  callerNames.filter(
    (caller) => reachesOf(name, caller).includes(reach) && verdictOf(name, caller, reach) === "allowed"
  )

describe("the permission matrix", () => {
  it("opens public operations to every caller", () => {
    const open = names.filter((name) => callerNames.every((caller) => verdictOf(name, caller, "own") === "allowed"))
    expect(open).toEqual(names.filter((name) => operationOf(name).class === "public"))
    expect(open).toEqual([
      "system.health",
      "imageProxy.image",
      "attachments.download",
      "publicLeads.submit",
      "publicLeads.challenge",
      "docs.openApi",
      "docs.rootOpenApi",
      "docs.page",
      "unsubscribe.page",
      "unsubscribe.confirm",
      "trackedLinks.open",
      "nylas.challenge"
    ])
  })

  it("opens no other operation without a credential, or to a person without a role or tenant", () => {
    for (const caller of ["no credential", "bad credential"] as const) {
      const verdicts = new Set(gated.map((name) => verdictOf(name, caller, "own")))
      expect([...verdicts]).toEqual(["UNAUTHORIZED"])
    }
    for (const caller of ["ID token, no role", "ID token, admin of no tenant"] as const)
      expect(gated.filter((name) => verdictOf(name, caller, "own") === "allowed")).toEqual([])
  })

  it("opens the search, which finds private notes, only to callers that may list them", () => {
    for (const reach of ["own", "other"] as const) {
      const listing = allowed(reach, "notes.list")
      expect(allowed(reach, "search.search").filter((caller) => !listing.includes(caller))).toEqual([])
    }
  })

  it("opens another tenant only to callers that reach all tenants", () => {
    const reached = new Set(gated.flatMap((name) => allowed("other", name)))
    expect([...reached].toSorted()).toEqual([
      "ID token, admin of every tenant",
      "ID token, superuser",
      "admin key",
      "source key of every tenant"
    ])
  })

  it("opens to each shared secret only its own route", () => {
    const opened = (caller: Caller) => gated.filter((name) => verdictOf(name, caller, "own") === "allowed")
    expect(opened("workflow secret")).toEqual(["crmActions.run", "crmActions.runAlias"])
    expect(opened("assistant secret")).toEqual(["assistantTools.call"])
    expect(opened("provider signature")).toHaveLength(9)
    expect(opened("source key")).toEqual(["events.send"])
  })

  it("gives each scope of an API key a part of its permissions, and together all of them", () => {
    const opened = (caller: Caller) => gated.filter((name) => verdictOf(name, caller, "own") === "allowed")
    const parts = (["API key, read", "API key, messages", "API key, pipeline"] as const).map(opened)
    expect(parts.map((part) => part.length).every((size) => size > 2)).toBe(true)
    expect([...new Set(parts.flat())].toSorted()).toEqual(opened("API key").toSorted())
  })

  it("answers 404 for another tenant's record if the path contains only its id", () => {
    expect(verdictOf("leads.find", "API key", "other")).toBe("NOT_FOUND")
    expect(verdictOf("leads.get", "API key", "other")).toBe("FORBIDDEN")
    expect(verdictOf("crmActions.run", "API key", "other")).toBe("NOT_FOUND")
  })
})
