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

/** Who is let in to something that is not public. */
const allowed = (reach: "own" | "other", name: OperationName): ReadonlyArray<Caller> =>
  callerNames.filter(
    (caller) => reachesOf(name, caller).includes(reach) && verdictOf(name, caller, reach) === "allowed"
  )

describe("the permission matrix", () => {
  it("opens what is public to everybody", () => {
    const open = names.filter((name) => callerNames.every((caller) => verdictOf(name, caller, "own") === "allowed"))
    expect(open).toEqual(names.filter((name) => operationOf(name).class === "public"))
    expect(open).toEqual([
      "system.health",
      "attachments.download",
      "publicLeads.submit",
      "publicLeads.challenge",
      "docs.openApi",
      "docs.page",
      "nylas.challenge"
    ])
  })

  it("opens nothing else without a credential, and nothing to a person without a role or a tenant", () => {
    for (const caller of ["no credential", "bad credential"] as const) {
      const verdicts = new Set(gated.map((name) => verdictOf(name, caller, "own")))
      expect([...verdicts]).toEqual(["UNAUTHORIZED"])
    }
    for (const caller of ["ID token, no role", "ID token, admin of no tenant"] as const)
      expect(gated.filter((name) => verdictOf(name, caller, "own") === "allowed")).toEqual([])
  })

  it("opens another tenant to those alone who reach every tenant", () => {
    const reached = new Set(gated.flatMap((name) => allowed("other", name)))
    expect([...reached].toSorted()).toEqual([
      "ID token, admin of every tenant",
      "ID token, superuser",
      "admin key",
      "source key of every tenant"
    ])
  })

  it("opens to every shared secret its own door only", () => {
    const opened = (caller: Caller) => gated.filter((name) => verdictOf(name, caller, "own") === "allowed")
    expect(opened("workflow secret")).toEqual(["crmActions.run", "crmActions.runAlias"])
    expect(opened("assistant secret")).toEqual(["assistantTools.call"])
    expect(opened("provider signature")).toHaveLength(9)
    expect(opened("source key")).toEqual(["events.send"])
  })

  it("gives each scope of an API key a part, and the parts are what a key has", () => {
    const opened = (caller: Caller) => gated.filter((name) => verdictOf(name, caller, "own") === "allowed")
    const parts = (["API key, read", "API key, messages", "API key, pipeline"] as const).map(opened)
    expect(parts.map((part) => part.length).every((size) => size > 2)).toBe(true)
    expect(parts.flat().toSorted()).toEqual(opened("API key").toSorted())
  })

  it("hides what another tenant has where an id alone leads to it", () => {
    expect(verdictOf("leads.find", "API key", "other")).toBe("NOT_FOUND")
    expect(verdictOf("leads.get", "API key", "other")).toBe("FORBIDDEN")
    expect(verdictOf("crmActions.run", "API key", "other")).toBe("NOT_FOUND")
  })
})
