// Scans uploads with clamd over TCP. The decision to reject a file is made in core. Protocol: `INSTREAM` of clamd(8).
// Tests: `packages/connectors/test/clamd`.
import { createConnection, type Socket } from "node:net"
import { FileScanner, ScannerUnavailable } from "@leadloom/core/internal/port/provider/FileScanner"
import { Effect, Layer } from "effect"

/** The address of clamd. */
export interface ClamdConfig {
  readonly host: string
  readonly port: number
}

/** The time without traffic after which the scanner counts as unavailable, in milliseconds. */
const idleMillis = 20_000

/** The limit of a reply in bytes. Replies contain one signature name. */
const maxReplyLength = 4_096

const unavailable = (reason: string) => new ScannerUnavailable({ reason: `clamd: ${reason}` })

/** A connection to clamd whose failures and reply are promises. */
interface Connection {
  readonly socket: Socket
  /** The whole reply, after clamd has closed the connection. */
  readonly reply: Promise<string>
}

const connect = ({ host, port }: ClamdConfig): Promise<Connection> =>
  new Promise((resolve, reject) => {
    const socket = createConnection({ host, port })
    socket.setTimeout(idleMillis, () => socket.destroy(new Error("no answer")))
    const reply = new Promise<string>((end, fail) => {
      let text = ""
      socket.on("data", (bytes) => void (text = (text + bytes.toString("latin1")).slice(0, maxReplyLength)))
      socket.on("end", () => end(text))
      socket.on("error", fail)
    })
    // The reply may fail before it is awaited. The failure is then reported by the write that follows.
    reply.catch(() => undefined)
    socket.once("error", reject)
    socket.once("connect", () => resolve({ socket, reply }))
  })

/** Writes bytes and waits until the socket accepts more, so that a slow scanner slows the upload down. */
const write = (socket: Socket, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.write(bytes, (error) => (error ? reject(error) : resolve()))
  })

/** Returns a chunk with its length as 32 bits in network byte order. A chunk of length 0 ends the file. */
const chunkOf = (bytes: Uint8Array): Buffer => {
  const chunk = Buffer.alloc(4 + bytes.length)
  chunk.writeUInt32BE(bytes.length)
  chunk.set(bytes, 4)
  return chunk
}

const attempt = <A>(run: () => Promise<A>) =>
  Effect.tryPromise({ try: run, catch: (cause) => unavailable(cause instanceof Error ? cause.message : String(cause)) })

/** Reads a reply such as `stream: OK` or `stream: Eicar-Signature FOUND`. */
const readReply = (reply: string): Effect.Effect<string | null, ScannerUnavailable> => {
  const line = reply.replace(/\0.*$/su, "").trim()
  if (line === "stream: OK") return Effect.succeed(null)
  const [, finding] = /^stream: ([^\s]{1,200}) FOUND$/u.exec(line) ?? []
  return finding === undefined
    ? Effect.fail(unavailable(line.slice(0, 200) || "an empty reply"))
    : Effect.succeed(finding)
}

/** Scans files with clamd, one connection per file. */
export const layer = (config: ClamdConfig): Layer.Layer<FileScanner> =>
  Layer.succeed(FileScanner, {
    open: Effect.gen(function* () {
      const { reply, socket } = yield* Effect.acquireRelease(
        attempt(() => connect(config)),
        (opened) => Effect.sync(() => void opened.socket.destroy())
      )
      yield* attempt(() => write(socket, Buffer.from("zINSTREAM\0", "latin1")))
      return {
        // clamd would read an empty chunk as the end of the file.
        write: (bytes: Uint8Array) => (bytes.length === 0 ? Effect.void : attempt(() => write(socket, chunkOf(bytes)))),
        verdict: Effect.flatMap(
          Effect.andThen(
            attempt(() => write(socket, chunkOf(new Uint8Array()))),
            attempt(() => reply)
          ),
          readReply
        )
      }
    })
  })
