import { Egress } from "@leadloom/core/internal/port/system/Egress"
import { parseAllowHosts } from "@leadloom/core/internal/domain/webhook/EgressPolicy"
import { Effect, ManagedRuntime } from "effect"
import { afterEach, describe, expect, it } from "vitest"
import { layer } from "../../src/egress/NodeEgress.ts"
import { listener, type Receiver } from "./Receiver.ts"

const closing: Array<() => unknown> = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const open = async (server: Promise<Receiver>): Promise<Receiver> => {
  const opened = await server
  closing.push(opened.close)
  return opened
}

/** Sends a request without a body, so that it is a single packet. Returns the response text or the error. */
const sender = (place: string) => {
  const runtime = ManagedRuntime.make(layer({ policy: { allowHosts: parseAllowHosts(place).hosts } }))
  closing.push(() => runtime.dispose())
  const request = { url: `http://${place}/`, headers: {}, body: "", timeoutMillis: 10_000, maxResponseBytes: 4_096 }
  const post = Effect.flatMap(Egress, (egress) => egress.post(request)).pipe(
    Effect.match({
      onFailure: (error) => ("kind" in error ? error.kind : error._tag),
      onSuccess: ({ body }) => new TextDecoder().decode(body)
    })
  )
  return () => runtime.runPromise(post)
}

describe("a response", () => {
  it("is read after unrequested 100 Continue responses, however they are split", async () => {
    const parts = {
      whole: ["HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\ntaken"],
      apart: ["HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\ntaken"],
      torn: ["HTTP/1.1 100 Con", "tinue\r\nX: y\r\n\r", "\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\ntaken"],
      twice: [
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\ntaken"
      ]
    }
    for (const words of Object.values(parts)) {
      let requestCount = 0
      const server = await open(
        listener((socket) => {
          socket.setNoDelay(true)
          socket.on("data", () => {
            requestCount++
            words.forEach((word, index) => setTimeout(() => socket.write(word), 20 * index))
          })
        })
      )
      const place = `127.0.0.1:${server.port}`
      const post = sender(place)
      for (const _ of [1, 2]) expect([words, await post()]).toEqual([words, "taken"])
      expect([requestCount, server.connections()]).toEqual([2, 1])
    }
  })

  it("causes no second request when it has another protocol", async () => {
    let requestCount = 0
    const server = await open(
      listener((socket) => {
        socket.on("data", () => {
          requestCount++
          socket.write(
            requestCount === 1
              ? "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\ntaken"
              : "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n"
          )
        })
      })
    )
    const place = `127.0.0.1:${server.port}`
    const post = sender(place)
    expect(await post()).toBe("taken")
    expect(await post()).toBe("protocol")
    expect(requestCount).toBe(2)
  })
})
