import { mkdtempSync, rmSync } from "node:fs"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Layer, Logger, ManagedRuntime } from "effect"
import { HttpRouter } from "effect/http"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { routerConfig } from "../src/http/middleware/Methods.ts"
import * as Routes from "../src/http/Routes.ts"
import { makeListener } from "../src/http/Listener.ts"
import { openFormOf } from "./world/FormWorld.ts"
import { readResponse, requestOf, servicesOf } from "./world/TestServer.ts"

/** Servers on sockets, because only they know the client's address: one behind a proxy, one that trusts no proxy. */
const start = (env: Readonly<Record<string, string>>) => {
  const folder = mkdtempSync(join(tmpdir(), "leadloom-proxies-"))
  const listener = makeListener()
  const limits = { LEADLOOM_LIMIT_PUBLIC: "2", LEADLOOM_LIMIT_BAD_CREDENTIALS: "2" }
  const runtime = ManagedRuntime.make(
    HttpRouter.serve(Routes.layer, { disableLogger: true, disableListenLog: true, routerConfig }).pipe(
      Layer.provide(servicesOf({ LEADLOOM_DATA_DIR: folder, ...limits, ...env })),
      Layer.provide(NodeHttpServer.layerServer(() => listener, { host: "127.0.0.1", port: 0 })),
      Layer.provide(NodeHttpServer.layerHttpServices),
      Layer.provide(Logger.layer([]))
    )
  )
  const isPort = (address: AddressInfo | string | null): address is AddressInfo => typeof address === "object"
  const call = async (method: string, path: string, of: Parameters<typeof requestOf>[2]) => {
    const address = listener.address()
    const port = isPort(address) ? address.port : 0
    return readResponse(await fetch(requestOf(method, path, of, `http://127.0.0.1:${port}`)))
  }
  return {
    fetch: (request: Request): Promise<Response> => fetch(request),
    call,
    open: () => runtime.context(),
    close: async () => {
      await runtime.dispose()
      rmSync(folder, { recursive: true })
    }
  }
}

const proxied = start({ LEADLOOM_TRUSTED_PROXIES: "127.0.0.1,10.0.0.0/8" })
const direct = start({})

beforeAll(async () => {
  for (const server of [proxied, direct]) {
    await server.open()
    await openFormOf(server)
  }
})
afterAll(async () => {
  await proxied.close()
  await direct.close()
})

const submit = async (server: typeof direct, forwarded: string): Promise<number> => {
  const headers = { "x-forwarded-for": forwarded }
  return (await server.call("POST", "/api/v1/public/leads/acme", { body: {}, headers })).status
}

const guess = async (server: typeof direct, forwarded: string): Promise<number> => {
  const headers = { "x-forwarded-for": forwarded }
  return (await server.call("GET", "/api/v1/tenants/acme/leads", { as: "nonsense", headers })).status
}

const inTurn = async (sendRequest: (forwarded: string) => Promise<number>, forwarded: ReadonlyArray<string>) => {
  const statuses: Array<number> = []
  for (const one of forwarded) statuses.push(await sendRequest(one))
  return statuses
}

describe("behind a trusted proxy", () => {
  it("each client has its own limits, whatever it prepends to the header", async () => {
    const forms = (forwarded: string) => submit(proxied, forwarded)
    expect(await inTurn(forms, ["203.0.113.1", "1.1.1.1, 203.0.113.1", "2.2.2.2,203.0.113.1, 10.0.0.3"])).toEqual([
      400, 400, 429
    ])
    expect(await inTurn(forms, ["203.0.113.2", "2001:db8::1", "2001:db8::2", "2001:db8::3"])).toEqual([
      400, 400, 400, 429
    ])
    const credentials = (forwarded: string) => guess(proxied, forwarded)
    expect(await inTurn(credentials, ["203.0.113.1", "x, 203.0.113.1", "y, 203.0.113.1", "203.0.113.2"])).toEqual([
      401, 401, 429, 401
    ])
  })
})

describe("without a trusted proxy", () => {
  it("the header has no effect", async () => {
    const forwarded = ["203.0.113.1", "203.0.113.2", "203.0.113.3"]
    expect(await inTurn((one) => submit(direct, one), forwarded)).toEqual([400, 400, 429])
    expect(await inTurn((one) => guess(direct, one), forwarded)).toEqual([401, 401, 429])
  })
})
