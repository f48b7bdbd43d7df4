import { assert, it } from "@effect/vitest"
import type { ProviderReason } from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { Effect, Fiber } from "effect"
import { describe } from "vitest"
import { loginTo, mailOf, openTo, standIn, username } from "./ImapTest.ts"

const inbox = { from: 1, to: 100 }

/** The responses to a command and the expected reason with its delay in milliseconds. */
const responses: ReadonlyArray<readonly [response: string, tag: ProviderReason["_tag"], delay?: number]> = [
  ["NO [THROTTLED] Slow down", "Unavailable", 120_000],
  ["NO [LIMIT] Too many commands", "Unavailable", 300_000],
  ["NO [UNAVAILABLE] UID FETCH Service is temporarily not available", "Unavailable", 60_000],
  ["NO [INUSE] Locked", "Unavailable", 15_000],
  ["NO [SERVERBUG] Internal error", "Unavailable", 60_000],
  ["NO [AUTHENTICATIONFAILED] The token has expired", "SignedOut"],
  ["NO [EXPIRED] The password has expired", "SignedOut"],
  ["NO [CANNOT] Not possible", "Refused"],
  ["BAD Syntax error", "Refused"]
]

const commands = ["EXAMINE", "UID FETCH", "UID SEARCH"]

describe("a rejected command", () => {
  for (const [response, tag, delay] of responses) {
    it.live(`is ${tag}: ${response}`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const server = yield* standIn()
          server.account(username).folder("INBOX").add(mailOf("one"), 0)
          const mailbox = yield* openTo(loginTo(server.port))
          const { uidValidity } = yield* mailbox.status("INBOX")
          const folder = { path: "INBOX", uidValidity }
          for (const command of commands) {
            server.faults.refuse.set(command, [response])
            const range = command === "UID SEARCH" ? { from: 1, to: 1_000_000 } : inbox
            const { reason } = yield* Effect.flip(mailbox.list(folder, range, 0))
            assert.strictEqual(reason._tag, tag, command)
            if (reason._tag === "Unavailable") assert.strictEqual(reason.retryAfterMillis, delay)
          }
          // The connection still works.
          assert.lengthOf(yield* mailbox.list(folder, inbox, 0), 1)
          server.faults.refuse.set("UID STORE", [response])
          assert.strictEqual(
            (yield* Effect.flip(mailbox.addFlags("INBOX", "one@example.org", ["\\Seen"]))).reason._tag,
            tag
          )
          server.faults.refuse.set("APPEND", [response])
          assert.strictEqual((yield* Effect.flip(mailbox.append("Sent", mailOf("two")))).reason._tag, tag)
          server.faults.refuse.set("STATUS", [response])
          assert.strictEqual((yield* Effect.flip(mailbox.status("Archive"))).reason._tag, tag)
        })
      )
    )
  }
})

describe("a lost connection", () => {
  it.live("is Unavailable for each command, and never a short result", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const server = yield* standIn()
        const folder = server.account(username).folder("INBOX")
        for (let n = 0; n < 50; n++) folder.add(Buffer.concat([mailOf(`m${n}`), Buffer.alloc(1_000, "x")]), 0)
        const known = { path: "INBOX", uidValidity: String(folder.uidValidity) }
        for (const bytes of [0, 1, 150, 500, 1_000, 2_000]) {
          const mailbox = yield* openTo(loginTo(server.port))
          server.faults.cutAfterBytes = bytes
          const { reason } = yield* Effect.flip(mailbox.list(known, inbox, 0))
          assert.strictEqual(reason._tag, "Unavailable")
        }
        for (const bytes of [0, 10, 500, 900]) {
          const mailbox = yield* openTo(loginTo(server.port))
          yield* mailbox.list(known, inbox, 0)
          server.faults.cutAfterBytes = bytes
          const { reason } = yield* Effect.flip(mailbox.fetch(known, 3, 10_000))
          assert.strictEqual(reason._tag, "Unavailable")
        }
      })
    )
  )
  it.live("has an unknown outcome for a mail that was being stored", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const server = yield* standIn()
        const mailbox = yield* openTo(loginTo(server.port))
        yield* mailbox.contains("Sent", "x@example.org")
        const storing = yield* Effect.forkChild(Effect.flip(mailbox.append("Sent", mailOf("one"))))
        yield* Effect.promise(async () => {
          while (!server.commands.includes("APPEND")) {
            if (server.commands.includes("SELECT")) server.faults.isSilent = true
            await new Promise((resolve) => setImmediate(resolve))
          }
        })
        server.cut()
        const { reason } = yield* Fiber.join(storing)
        assert.include(["OutcomeUnknown", "Unavailable"], reason._tag)
      })
    )
  )
  it.live("ends a wait", () =>
    Effect.scoped(
      Effect.gen(function* () {
        for (const hide of [[], ["IDLE"]]) {
          const server = yield* standIn({ hide })
          const mailbox = yield* openTo(loginTo(server.port))
          const waiting = yield* Effect.forkChild(Effect.flip(mailbox.wait("INBOX", 86_400_000)))
          if (hide.length === 0) yield* Effect.promise(() => server.untilIdle())
          else
            yield* Effect.promise(async () => {
              while (!server.commands.includes("EXAMINE")) await new Promise((resolve) => setImmediate(resolve))
            })
          server.cut()
          assert.strictEqual((yield* Fiber.join(waiting)).reason._tag, "Unavailable")
        }
      })
    )
  )
})

describe("a wait", () => {
  it.live("renews IDLE, and completes at the next change", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const server = yield* standIn()
        const mailbox = yield* openTo(loginTo(server.port), { limits: { idleMillis: 20 } })
        const waiting = yield* Effect.forkChild(mailbox.wait("INBOX", 86_400_000))
        yield* Effect.promise(async () => {
          while (server.commands.filter((name) => name === "IDLE").length < 4) {
            await new Promise((resolve) => setTimeout(resolve, 5))
          }
        })
        server.account(username).folder("INBOX").add(mailOf("one"), 0)
        yield* Fiber.join(waiting)
        assert.strictEqual((yield* mailbox.status("INBOX")).messages, 1)
      })
    )
  )
  it.live("without IDLE only waits", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const server = yield* standIn({ hide: ["IDLE"] })
        const mailbox = yield* openTo(loginTo(server.port))
        yield* mailbox.wait("INBOX", 50)
        assert.notInclude(server.commands, "IDLE")
        assert.strictEqual((yield* mailbox.status("INBOX")).messages, 0)
      })
    )
  )
})
