import { operationOf } from "@leadloom/core/internal/domain/access/Operations"
import {
  type Caller,
  callerNames,
  type Reach,
  reachesOf,
  type Verdict,
  verdictOf
} from "@leadloom/core/internal/domain/access/PermissionMatrix"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Requested, everything, makePermissionWorld, type PermissionWorld } from "../world/PermissionWorld.ts"
import type { Answer } from "../world/TestServer.ts"

interface Cell {
  readonly requested: Requested
  readonly caller: Caller
  readonly reach: Reach
}

const cellsOf = (requested: Requested): ReadonlyArray<Cell> =>
  callerNames.flatMap((caller) => reachesOf(requested.name, caller).map((reach) => ({ requested, caller, reach })))

const cells = everything.flatMap(cellsOf)
const expected = ({ requested, caller, reach }: Cell): Verdict => verdictOf(requested.name, caller, reach)
const count = (verdict: Verdict) => cells.filter((cell) => expected(cell) === verdict).length

/**
 * Returns the verdict of authorisation. Invalid payloads and missing resources are reported after it. An unexpected
 * status is returned unchanged.
 */
const seen = ({ requested: { name } }: Cell, { code, status }: Answer): string => {
  const { class: operation, tenant } = operationOf(name)
  if (status === 401 || (status === 403 && code === "FORBIDDEN")) return String(code)
  if (status === 404 && tenant === "resource") return String(code)
  const hasAccepted = operation === "sendEvent" || operation === "providerEvent" || operation === "assistantTool"
  return (hasAccepted && status !== 200) || status === 429 || (status >= 500 && status !== 503)
    ? `${status} ${code}`
    : "allowed"
}

let world: PermissionWorld
let surprises = 0

beforeAll(async () => {
  world = await makePermissionWorld()
})
afterAll(() => world.close())

const groupOf = ({ name }: Requested): string => name.slice(0, name.indexOf("."))
const groups = [...new Set(everything.map(groupOf))]

describe(`the permission matrix, ${everything.length} operations and ${callerNames.length} callers in ${cells.length} requests`, () => {
  it.each(groups)("gives every caller the verdict for: %s", async (group) => {
    const surprising: Array<string> = []
    for (const cell of cells.filter(({ requested }) => groupOf(requested) === group)) {
      const { requested, caller, reach } = cell
      const verdict = seen(cell, await world.sendRequest(requested, caller, reach))
      if (verdict !== expected(cell))
        surprising.push(`${requested.name}, ${caller}, ${reach} tenant: ${verdict}, not ${expected(cell)}`)
    }
    surprises += surprising.length
    expect(surprising).toEqual([])
  })

  it(`allows ${count("allowed")}, and rejects ${count("UNAUTHORIZED")} with 401, ${count("FORBIDDEN")} with 403 and ${count("NOT_FOUND")} with 404`, () => {
    expect(cells.length).toBeGreaterThan(5_000)
    expect(surprises).toBe(0)
  })
})
