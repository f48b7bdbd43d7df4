import { createServer, type Server } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { FileScanner } from "@leadloom/core/internal/port/provider/FileScanner"
import { Effect } from "effect"
import { layer } from "../../src/clamd/ClamdScanner.ts"

/** Returns the content of an INSTREAM session; null while it is incomplete. */
const contentOf = (received: Buffer): string | null => {
  const command = "zINSTREAM\0"
  if (received.toString("latin1", 0, command.length) !== command) return null
  let content = ""
  for (let at = command.length; at + 4 <= received.length;) {
    const length = received.readUInt32BE(at)
    if (length === 0) return content
    content += received.toString("latin1", at + 4, at + 4 + length)
    at += 4 + length
  }
  return null
}

/** Starts a clamd that finds `Eicar-Signature` in every file with the word `virus`. */
const clamd = Effect.acquireRelease(
  Effect.promise(
    () =>
      new Promise<Server>((resolve) => {
        const server = createServer((socket) => {
          let received = Buffer.alloc(0)
          socket.on("data", (bytes) => {
            received = Buffer.concat([received, bytes])
            const content = contentOf(received)
            if (content === null) return
            const answer = content.includes("virus") ? "Eicar-Signature FOUND" : content === "odd" ? "odd" : "OK"
            socket.end(`stream: ${answer}\0`)
          })
        }).listen(0, "127.0.0.1", () => resolve(server))
      })
  ),
  (server) => Effect.promise(() => new Promise((resolve) => server.close(resolve)))
)

const portOf = (server: Server): number => {
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

const scan = Effect.fnUntraced(function* (port: number, ...pieces: ReadonlyArray<string>) {
  return yield* Effect.gen(function* () {
    const { verdict, write } = yield* (yield* FileScanner).open
    for (const piece of pieces) yield* write(new TextEncoder().encode(piece))
    return yield* verdict
  }).pipe(Effect.scoped, Effect.provide(layer({ host: "127.0.0.1", port })))
})

describe("the clamd scanner", () => {
  it.live("accepts a clean file and names the malware in another one", () =>
    Effect.gen(function* () {
      const port = portOf(yield* clamd)
      assert.isNull(yield* scan(port, "a ", "", "file"))
      assert.strictEqual(yield* scan(port, "a vi", "rus"), "Eicar-Signature")
    })
  )

  it.live("is unavailable after an unknown reply and without a server", () =>
    Effect.gen(function* () {
      const server = yield* clamd
      const odd = yield* Effect.flip(scan(portOf(server), "odd"))
      assert.strictEqual(odd._tag, "ScannerUnavailable")
      const none = yield* Effect.flip(scan(1, "x"))
      assert.strictEqual(none._tag, "ScannerUnavailable")
    })
  )
})
