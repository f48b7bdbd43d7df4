import type { LookupAddress } from "node:dns"
import { isPublicAddress } from "@leadloom/core/internal/domain/webhook/EgressAddress"
import { EgressRefused } from "@leadloom/core/internal/domain/webhook/EgressPolicy"
import { request } from "undici"
import { describe, expect, it } from "vitest"
import { certificate } from "@leadloom/testkit/mail/Certificate"
import { type GuardedAgents, guardedAgents, guardedLookup } from "../../src/egress/GuardedAgents.ts"
import type { Resolve } from "../../src/egress/Resolve.ts"
import { receiver } from "./Receiver.ts"

/** Runs the lookup of a connection. Returns the permitted addresses or the error. */
const lookUp = (resolve: Resolve, all: boolean): Promise<string | ReadonlyArray<LookupAddress> | Error> =>
  new Promise((done) => {
    guardedLookup(resolve, isPublicAddress)("hooks.example.com", { all }, (error, address) => done(error ?? address))
  })

/** A resolver with different results on each call. */
const rebinding = (answers: ReadonlyArray<ReadonlyArray<string>>): { resolve: Resolve; requested: () => number } => {
  let lookups = 0
  return { resolve: async () => answers[lookups++] ?? [], requested: () => lookups }
}

describe("the lookup of a connection", () => {
  it("returns exactly the addresses that were checked", async () => {
    const name = rebinding([["93.184.215.14", "2606:4700:4700::1111"], ["127.0.0.1"]])
    expect(await lookUp(name.resolve, true)).toEqual([
      { address: "93.184.215.14", family: 4 },
      { address: "2606:4700:4700::1111", family: 6 }
    ])
    expect(name.requested()).toBe(1)
  })

  it("rejects a name that now resolves to an internal address", async () => {
    const name = rebinding([["93.184.215.14"], ["127.0.0.1"], ["93.184.215.14", "10.0.0.1"], ["93.184.215.14"]])
    expect(await lookUp(name.resolve, false)).toBe("93.184.215.14")
    expect(await lookUp(name.resolve, false)).toBeInstanceOf(EgressRefused)
    expect(await lookUp(name.resolve, true)).toBeInstanceOf(EgressRefused)
    expect(await lookUp(name.resolve, true)).toEqual([{ address: "93.184.215.14", family: 4 }])
  })

  it("fails without an address, and passes on the resolver's error", async () => {
    expect(await lookUp(async () => [], true)).toBeInstanceOf(Error)
    const failure = new Error("no servers")
    expect(await lookUp(() => Promise.reject(failure), true)).toBe(failure)
    expect(await lookUp(async () => ["no address"], true)).toBeInstanceOf(EgressRefused)
  })
})

/** Returns the error of a connection to a host. */
const failureAt = (agents: GuardedAgents, host: string, port: number, allowed: boolean): Promise<unknown> => {
  const href = `https://${host.includes(":") ? `[${host}]` : host}:${port}/`
  const dispatcher = agents.agentFor({ href, secure: true, host, port, path: "/", allowed })
  return request(href, { dispatcher }).catch((error: unknown) => error)
}

describe("the connections", () => {
  it("require a certificate for the host name", async () => {
    const server = await receiver((_, response) => response.end(), true)
    const here = async () => ["127.0.0.1"]
    const agents = guardedAgents({ public: here, here }, { trust: certificate })
    const failure = await failureAt(agents, "hooks.example.com", server.port, true)
    expect(failure).toMatchObject({ code: "ERR_TLS_CERT_ALTNAME_INVALID" })
    expect(await failureAt(agents, "localhost", server.port, true)).toMatchObject({ statusCode: 200 })
    await agents.close()
    await server.close()
  })

  it("reject internal addresses, even for a caller that skips the URL check", async () => {
    const resolve = async () => ["10.0.0.1"]
    const agents = guardedAgents({ public: resolve, here: resolve })
    const hosts = ["127.0.0.1", "::1", "169.254.169.254", "hooks.example.com"]
    const failures = hosts.map((host) => failureAt(agents, host, 9, false))
    for (const failure of await Promise.all(failures)) expect(failure).toBeInstanceOf(EgressRefused)
    await agents.close()
  })
})
