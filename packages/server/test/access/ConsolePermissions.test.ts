import { contractOperations } from "@leadloom/core/internal/domain/access/Operations"
import { type Caller, callerNames, verdictOf } from "@leadloom/core/internal/domain/access/PermissionMatrix"
import type { CredentialFacts } from "@leadloom/client"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { permittedOperations } from "../../../console/src/app/PermittedOperations.ts"
import { everything, makePermissionWorld, type PermissionWorld } from "../world/PermissionWorld.ts"

let world: PermissionWorld

beforeAll(async () => {
  world = await makePermissionWorld()
})
afterAll(() => world.close())

const isOperation = (name: string): name is keyof typeof contractOperations => Object.hasOwn(contractOperations, name)
const operations = Object.keys(contractOperations).filter(isOperation)
const mayDescribeItself = (caller: Caller): boolean => verdictOf("credential.get", caller, "own") === "allowed"

/** Returns the answer of the server about the credential of a caller. */
const describeCredential = async (caller: Caller) => {
  const requested = everything.find(({ name }) => name === "credential.get")
  if (requested === undefined) return expect.unreachable("The contract lacks credential.get.")
  return world.sendRequest(requested, caller, "own")
}

describe("the console hides exactly the forbidden operations", () => {
  it.each(callerNames.filter(mayDescribeItself))("from: %s", async (caller) => {
    const { json, status } = await describeCredential(caller)
    expect(status).toBe(200)
    const shown = permittedOperations(json as CredentialFacts)
    const allowed = operations.filter((name) => verdictOf(name, caller, "own") === "allowed")
    expect(operations.filter((name) => shown.has(name))).toEqual(allowed)
  })

  it("and shows a credential without rights in the console nothing", () => {
    const nothing: CredentialFacts = { kind: "id_token", role: null, scopes: null, tenant_ids: [] }
    expect(permittedOperations(nothing).size).toBe(0)
  })

  it("and adds up the rights of several scopes", () => {
    const key = (scopes: CredentialFacts["scopes"]): CredentialFacts => ({
      kind: "api_key",
      role: null,
      scopes,
      tenant_ids: ["acme"]
    })
    expect(permittedOperations(key(["read", "messages", "pipeline"]))).toEqual(permittedOperations(key(null)))
    expect(permittedOperations(key(["read"])).has("contacts.update")).toBe(false)
  })
})
