/**
 * Measures the resident memory of idle IMAP connections over TLS, and the connections per second. The IMAP server runs
 * in a separate process.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import type { MailboxConnection } from "@leadloom/core/internal/port/provider/Mailboxes"
import { type Bench, type BenchResult, numberAt, progress } from "@leadloom/testkit/bench/Bench"
import { certificate } from "@leadloom/testkit/mail/Certificate"
import { Effect, Fiber } from "effect"
import { openMailbox } from "../src/imap/OpenMailbox.ts"

/** The number of connections that are opened at the same time. */
const atOnce = 16

const program = fileURLToPath(new URL("./ImapServer.ts", import.meta.url))

/** Resident memory in MiB, after the collection of garbage if the process exposes it. */
const residentMiB = async (): Promise<number> => {
  const collect = globalThis.gc
  for (let round = 0; round < 3; round++) {
    collect?.()
    await sleep(50)
  }
  return process.memoryUsage().rss / 1_048_576
}

/** Returns a function that opens the mailbox with a number. */
const openAt = (port: number) => {
  const imap = { host: "localhost", port, security: "tls" as const }
  const open = openMailbox({ policy: { allowHosts: [{ host: imap.host, port }] }, trust: certificate })
  const credential = { _tag: "Password", password: "secret" } as const
  return (index: number) => {
    const email = `box${index}@example.com`
    return open({ email, username: email, imap, smtp: imap, credential })
  }
}

const measure = Effect.fnUntraced(function* (port: number, count: number) {
  const open = openAt(port)
  // The first connections load code and fill caches.
  const warm = Math.min(count, 8)
  const indexes = Array.from({ length: count + warm }, (_, index) => index)
  yield* Effect.forEach(indexes.slice(0, warm), open, { concurrency: atOnce })
  const before = yield* Effect.promise(residentMiB)
  const began = performance.now()
  const mailboxes: ReadonlyArray<MailboxConnection> = yield* Effect.forEach(indexes.slice(warm), open, {
    concurrency: atOnce
  })
  const seconds = (performance.now() - began) / 1_000
  progress(`${count} connections are open`)
  const waiting = yield* Effect.forEach(mailboxes, (mailbox) => Effect.forkChild(mailbox.wait("INBOX", 86_400_000)))
  // Each of them needs three responses before it is idle.
  yield* Effect.sleep(Math.max(1_000, count * 4))
  const after = yield* Effect.promise(residentMiB)
  const idle = waiting.filter((fiber) => fiber.pollUnsafe() === undefined).length
  yield* Effect.forEach(waiting, Fiber.interrupt, { concurrency: "unbounded" })
  return { before, after, seconds, idle }
})

const run = async (count: number): Promise<BenchResult> => {
  const flags = ["--conditions=leadloom:source"]
  const server = spawn(process.execPath, [...flags, program, String(count + 8)], { stdio: ["pipe", "pipe", "inherit"] })
  try {
    const [line] = await once(server.stdout, "data")
    const { after, before, idle, seconds } = await Effect.runPromise(
      Effect.scoped(measure(Number(String(line)), count))
    )
    return {
      figures: {
        connections: count,
        beforeMiB: Math.round(before),
        idleMiB: Math.round(after),
        kibPerConnection: Math.round(((after - before) * 1_024) / count),
        connectionsPerSecond: Math.round(count / seconds)
      },
      checks: { "every connection is open and waits": idle === count }
    }
  } finally {
    server.kill()
  }
}

export const bench: Bench = {
  name: "mailboxes",
  purpose: "Resident memory of idle IMAP connections over TLS, and connections per second.",
  usage: "[connections]",
  sizes: { smallest: [4], small: [200], full: [1_000] },
  run: (args) => run(numberAt(args, 0))
}
