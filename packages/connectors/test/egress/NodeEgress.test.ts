import {
  Egress,
  type EgressAnswer,
  type EgressFailed,
  type EgressRequest
} from "@leadloom/core/internal/port/system/Egress"
import { type EgressRefused, parseAllowHosts } from "@leadloom/core/internal/domain/webhook/EgressPolicy"
import { certificate } from "@leadloom/testkit/mail/Certificate"
import { Effect, Fiber, ManagedRuntime } from "effect"
import { afterEach, describe, expect, it } from "vitest"
import { type EgressOptions, layer } from "../../src/egress/NodeEgress.ts"
import { resolvePublic } from "../../src/egress/Resolve.ts"
import { nameServer, type Zone } from "./NameServer.ts"
import { listener, type Receiver, receiver } from "./Receiver.ts"

type Ended = EgressAnswer | EgressRefused | EgressFailed

const closing: Array<() => unknown> = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

/** Opens a server that is closed after the test. */
const open = async (server: Promise<Receiver>): Promise<Receiver> => {
  const opened = await server
  closing.push(opened.close)
  return opened
}

const requestTo = (url: string, changes: Partial<EgressRequest> = {}): EgressRequest => ({
  url,
  headers: { "content-type": "application/json" },
  body: "{}",
  timeoutMillis: 10_000,
  maxResponseBytes: 4_096,
  ...changes
})

/** Creates an adapter that is closed after the test. */
const sender = (allow: string, options: Partial<EgressOptions> = {}) => {
  const policy = { allowHosts: parseAllowHosts(allow).hosts }
  const runtime = ManagedRuntime.make(layer({ policy, ...options }))
  closing.push(() => runtime.dispose())
  const ended = <E extends Ended, R>(request: Effect.Effect<Ended, E, R>): Effect.Effect<Ended, never, R> =>
    Effect.match(request, { onFailure: (error): Ended => error, onSuccess: (answer): Ended => answer })
  const post = (request: EgressRequest) => ended(Effect.flatMap(Egress, (egress) => egress.post(request)))
  return {
    get: (url: string) => runtime.runPromise(ended(Effect.flatMap(Egress, (egress) => egress.get(requestTo(url))))),
    post: (url: string, changes?: Partial<EgressRequest>) => runtime.runPromise(post(requestTo(url, changes))),
    fork: (url: string) => runtime.runFork(post(requestTo(url, { timeoutMillis: 120_000 }))),
    close: () => runtime.dispose()
  }
}

const textOf = (ended: Ended): string => ("status" in ended ? new TextDecoder().decode(ended.body) : ended.reason)
const kindOf = (ended: Ended): string =>
  "status" in ended ? String(ended.status) : "kind" in ended ? ended.kind : ended._tag

/** Creates an adapter that queries the scripted name server. */
const requesting = async (zone: Zone, allow = "") => {
  const server = await nameServer(zone)
  closing.push(server.close)
  return sender(allow, { resolve: resolvePublic([server.place]), trust: certificate })
}

describe("a request", () => {
  it("does not wait for slow receivers on the same host", async () => {
    const slow = 200
    const held: Array<() => void> = []
    const { promise: allHeld, resolve: allAreHeld } = Promise.withResolvers<void>()
    const server = await open(
      receiver(({ path }, response) => {
        if (path === "/fast") return void response.writeHead(204).end()
        held.push(() => response.writeHead(204).end())
        if (held.length === slow) allAreHeld()
      })
    )
    const place = `127.0.0.1:${server.port}`
    const { post } = sender(place)
    const waiting = Array.from({ length: slow }, () => post(`http://${place}/slow`, { timeoutMillis: 60_000 }))
    await allHeld
    expect(kindOf(await post(`http://${place}/fast`))).toBe("204")
    for (const answer of held) answer()
    expect(new Set((await Promise.all(waiting)).map(kindOf))).toEqual(new Set(["204"]))
  })

  it("arrives with its headers and body, and its response is returned", async () => {
    const server = await open(
      receiver((_, response) => response.writeHead(202, { "X-Thing": "a", "set-cookie": ["a=1", "b=2"] }).end("taken"))
    )
    const place = `127.0.0.1:${server.port}`
    const { post } = sender(place)
    const answer = await post(`http://${place}/in?a=%20b`, {
      headers: { "x-webhook-event": "test" },
      body: "gr\u00fc\u00df"
    })
    expect(answer).toMatchObject({ status: 202, headers: { "x-thing": "a", "set-cookie": "a=1, b=2" } })
    expect(textOf(answer)).toBe("taken")
    expect(server.requests).toMatchObject([
      {
        method: "POST",
        path: "/in?a=%20b",
        headers: { host: place, "x-webhook-event": "test", "content-length": "6" },
        body: "gr\u00fc\u00df"
      }
    ])
  })

  it("reads a document without a body, and refuses an internal address like any other request", async () => {
    const server = await open(receiver((_, response) => response.end("a picture")))
    const place = `127.0.0.1:${server.port}`
    const { get } = sender(place)
    const answer = await get(`http://${place}/logo.png`)
    expect([kindOf(answer), textOf(answer)]).toEqual(["200", "a picture"])
    expect(server.requests).toMatchObject([{ method: "GET", path: "/logo.png", body: "" }])
    expect(server.requests[0]?.headers["content-length"]).toBeUndefined()
    expect(kindOf(await get("https://10.0.0.1/logo.png"))).toBe("EgressRefused")
  })

  it("reuses connections, up to the maximum number", async () => {
    const server = await open(receiver((_, response) => response.end("ok")))
    const place = `127.0.0.1:${server.port}`
    const { post } = sender(place, { connectionsPerHost: 3 })
    await Promise.all(Array.from({ length: 30 }, () => post(`http://${place}/`, { body: new Uint8Array([123, 125]) })))
    expect(server.requests).toHaveLength(30)
    expect(server.connections()).toBeLessThanOrEqual(3)
  })

  it("is sent again when its reused connection was already closed", async () => {
    // The connection is reset instead of closed, because a graceful close would make the test depend on timing.
    let first = true
    const server = await open(
      receiver((_, response, socket) => {
        if (first) return void response.end("one", () => (first = false))
        if (server.connections() === 1) return socket.resetAndDestroy()
        return response.end("two")
      })
    )
    const place = `127.0.0.1:${server.port}`
    const { post } = sender(place)
    expect(textOf(await post(`http://${place}/`))).toBe("one")
    expect(textOf(await post(`http://${place}/`))).toBe("two")
    expect(server.connections()).toBe(2)
  })

  it("is not sent again after the reset of a new connection", async () => {
    const server = await open(receiver((_, _response, socket) => socket.resetAndDestroy()))
    const place = `127.0.0.1:${server.port}`
    expect(await sender(place).post(`http://${place}/`)).toMatchObject({ _tag: "EgressFailed", kind: "connection" })
    expect(server.requests).toHaveLength(1)
  })

  it("is aborted when its caller is interrupted", async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const requestArrived = Promise.withResolvers<void>()
    const server = await open(
      receiver((_, _response, socket) => {
        socket.on("close", () => resolve())
        requestArrived.resolve()
      })
    )
    const place = `127.0.0.1:${server.port}`
    const fiber = sender(place).fork(`http://${place}/`)
    await requestArrived.promise
    await Effect.runPromise(Fiber.interrupt(fiber))
    await promise
  })
})

describe("the sender", () => {
  it("leaves no connection open, including those being established", async () => {
    const [taken, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const server = await open(
      listener((socket) => {
        socket.on("close", () => gone.resolve())
        taken.resolve()
      })
    )
    const place = `127.0.0.1:${server.port}`
    const { close, fork } = sender(place)
    // The server never answers the TLS handshake.
    fork(`https://${place}/`)
    await taken.promise
    await close()
    await gone.promise
  })
})

describe("a response", () => {
  it("is returned when it redirects, without following the redirect", async () => {
    const inner = await open(receiver((_, response) => response.end("secret")))
    const targets = [`http://127.0.0.1:${inner.port}/`, "http://169.254.169.254/", "file:///etc/passwd", "//127.0.0.1/"]
    for (const status of [301, 302, 303, 307, 308]) {
      const server = await open(
        receiver(({ path }, response) => response.writeHead(status, { location: targets[Number(path.slice(1))] }).end())
      )
      const place = `127.0.0.1:${server.port}`
      const { post } = sender(place)
      for (const index of targets.keys()) {
        expect(await post(`http://${place}/${index}`)).toMatchObject({ status, headers: { location: targets[index] } })
      }
    }
    expect(inner.connections()).toBe(0)
  })

  it("is read up to its limit, and the connection is closed if the response is longer", async () => {
    const closed = Promise.withResolvers<void>()
    const server = await open(
      receiver(({ path }, response, socket) => {
        if (path === "/exact") return response.end("a".repeat(4_096))
        socket.on("close", () => closed.resolve())
        response.write("b".repeat(4_000))
        // Writes until the connection is closed.
        const more = (): void => {
          if (!response.write("b".repeat(65_536))) response.once("drain", more)
          else setImmediate(more)
        }
        return more()
      })
    )
    const place = `127.0.0.1:${server.port}`
    const { post } = sender(place)
    expect(textOf(await post(`http://${place}/exact`))).toBe("a".repeat(4_096))
    const long = await post(`http://${place}/endless`)
    expect(long).toMatchObject({ status: 200 })
    expect(textOf(long)).toBe("b".repeat(4_096))
    await closed.promise
  })

  it("counts as received from its status on, even if its body breaks off or never ends", async () => {
    const server = await open(
      receiver(({ path }, response, socket) => {
        response.writeHead(200, { "content-length": 10 })
        response.write("half", () => void (path === "/broken" && socket.resetAndDestroy()))
      })
    )
    const place = `127.0.0.1:${server.port}`
    const { post } = sender(place)
    expect(await post(`http://${place}/broken`)).toMatchObject({ status: 200 })
    const slow = await post(`http://${place}/slow`, { timeoutMillis: 100 })
    expect(slow).toMatchObject({ status: 200 })
    expect(textOf(slow)).toBe("half")
  })

  it("counts as missing when it is late, in any phase", async () => {
    const silent = await open(receiver(() => undefined))
    const mute = await open(listener(() => undefined))
    const options = { trust: certificate }
    for (const [server, scheme] of [
      [silent, "http"],
      [mute, "http"],
      [mute, "https"]
    ] as const) {
      const place = `127.0.0.1:${server.port}`
      const ended = await sender(place, options).post(`${scheme}://${place}/`, { timeoutMillis: 60 })
      expect(ended).toMatchObject({ _tag: "EgressFailed", kind: "timeout" })
    }
    const { post } = await requesting(() => null)
    expect(kindOf(await post("https://hooks.example.com/", { timeoutMillis: 60 }))).toBe("timeout")
  })

  it("is read after interim responses", async () => {
    const server = await open(
      receiver((_, response) => {
        response.writeEarlyHints({ link: "</a.css>; rel=preload" })
        response.writeProcessing()
        response.writeHead(201, { "x-thing": "a" }).end("taken")
      })
    )
    const place = `127.0.0.1:${server.port}`
    const answer = await sender(place).post(`http://${place}/`)
    expect(answer).toMatchObject({ status: 201, headers: { "x-thing": "a" } })
    expect(textOf(answer)).toBe("taken")
  })

  it("is distinguished from a refused connection when it is not HTTP", async () => {
    const mail = await open(listener((socket) => socket.write("220 mail.example.com ESMTP\r\n")))
    const gone = await receiver(() => undefined)
    await gone.close()
    const flood = await open(receiver((_, response) => response.writeHead(200, { x: "y".repeat(40_000) }).end()))
    const places = [mail, gone, flood].map(({ port }) => `127.0.0.1:${port}`)
    const { post } = sender(places.join(","))
    const kinds = []
    for (const place of places) kinds.push(kindOf(await post(`http://${place}/`)))
    expect(kinds).toEqual(["protocol", "connection", "protocol"])
    expect(kindOf(await post(`https://${places[2]}/`))).toBe("tls")
  })
})

describe("a certificate", () => {
  it("must be trusted", async () => {
    const server = await open(receiver(({ headers }, response) => response.end(headers.host), true))
    const [named = "", numbered = ""] = ["localhost", "127.0.0.1"].map((host) => `${host}:${server.port}`)
    const trusting = sender(`${named},${numbered}`, { trust: certificate })
    expect(textOf(await trusting.post(`https://${named}/`))).toBe(named)
    expect(textOf(await trusting.post(`https://${numbered}/`))).toBe(numbered)
    expect(await sender(named).post(`https://${named}/`)).toMatchObject({ kind: "tls" })
    expect(server.requests).toHaveLength(2)
  })
})

/** Addresses that must be rejected, alone or among public ones. */
const inner: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  ["loopback", ["127.0.0.1"]],
  ["a private address", ["10.0.0.5"]],
  ["the metadata of a cloud", ["169.254.169.254"]],
  ["this host", ["0.0.0.0"]],
  ["a public address and then a private one", ["93.184.215.14", "10.0.0.5"]],
  ["many public ones and one loopback", ["93.184.215.14", "93.184.215.15", "1.1.1.1", "127.0.0.1", "8.8.8.8"]],
  ["loopback of IPv6", ["::1"]],
  ["a public address and loopback of IPv6", ["93.184.215.14", "::1"]],
  ["a mapped address", ["::ffff:7f00:1"]],
  ["a public address and a unique local one", ["2606:4700:4700::1111", "fd00::1"]],
  ["loopback behind NAT64", ["64:ff9b::7f00:1"]],
  ["loopback by 6to4", ["2002:7f00:1::"]]
]

describe("a name", () => {
  for (const [what, addresses] of inner) {
    it(`is rejected without a connection when it resolves to ${what}`, async () => {
      const server = await open(receiver((_, response) => response.end("secret"), true))
      const { post } = await requesting((_, type) =>
        addresses.filter((each) => each.includes(":") === (type === "AAAA"))
      )
      const ended = await post(`https://hooks.example.com:${server.port}/`)
      expect(ended).toMatchObject({ _tag: "EgressRefused" })
      // The error must not reveal internal addresses to the author of the URL.
      for (const address of addresses) expect(textOf(ended)).not.toContain(address)
      expect(server.connections()).toBe(0)
    })
  }

  it("is reported when it has no address", async () => {
    const { post } = await requesting(() => [])
    expect(kindOf(await post("https://hooks.example.com/"))).toBe("dns")
  })

  it("is resolved without the search list of this network", async () => {
    const resolvedNames = new Set<string>()
    const { post } = await requesting((name) => {
      resolvedNames.add(name)
      return []
    })
    await post("https://hooks.example.com/")
    expect([...resolvedNames]).toEqual(["hooks.example.com"])
  })

  it("is resolved with the hosts file when the operator permits it", async () => {
    const server = await open(receiver((_, response) => response.end("ok")))
    const { post } = await requesting(() => [], `localhost:${server.port}`)
    expect(textOf(await post(`http://localhost:${server.port}/`))).toBe("ok")
    expect(kindOf(await post(`https://localhost:${server.port + 1}/`))).toBe("EgressRefused")
  })
})

describe("a URL", () => {
  it("is rejected by a request if it is rejected in a configuration", async () => {
    const server = await open(receiver((_, response) => response.end("secret")))
    const { post } = sender("")
    for (const host of [
      "127.0.0.1",
      "127.1",
      "2130706433",
      "0x7f000001",
      "[::1]",
      "[::ffff:7f00:1]",
      "localhost",
      "0"
    ]) {
      for (const scheme of ["http", "https"]) {
        expect(await post(`${scheme}://${host}:${server.port}/`)).toMatchObject({ _tag: "EgressRefused" })
      }
    }
    expect(server.connections()).toBe(0)
  })
})
