import { assert, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { once } from "node:events"
import { createServer, type Socket } from "node:net"
import { describe } from "vitest"
import { maxFolders } from "@leadloom/core/internal/domain/mailbox/MailboxSync"
import { loginTo, mailOf, openTo, standIn, username } from "./ImapTest.ts"

/** Answers a command, or returns false for the normal answer. */
type Answer = (socket: Socket, tag: string, command: string) => boolean

/** Responds to EXAMINE and to the commands of a login. */
const normal = (socket: Socket, tag: string, command: string): void => {
  if (command === "CAPABILITY") socket.write("* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\n")
  if (command === "AUTHENTICATE") return void socket.write("+ \r\n")
  if (command === "LIST") socket.write('* LIST () "/" INBOX\r\n')
  if (command === "EXAMINE") socket.write("* 5 EXISTS\r\n* OK [UIDVALIDITY 1] ok\r\n* OK [UIDNEXT 6] ok\r\n")
  socket.write(`${tag} OK done\r\n`)
}

/** Starts a server that answers as a test demands. */
const hostile = (answer: Answer): Effect.Effect<number, never, Scope.Scope> =>
  Effect.gen(function* () {
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket.on("error", () => undefined))
      socket.write("* OK ready\r\n")
      let tag = ""
      socket.on("data", (data) => {
        const [first = "", command = "", more = ""] = String(data).trim().split(" ")
        // A line of one word is a SASL response.
        if (command === "") return void socket.write(`${tag} OK logged in\r\n`)
        tag = first
        const name = command === "UID" ? `UID ${more}` : command
        if (!answer(socket, tag, name)) normal(socket, tag, name)
      })
    }).listen(0, "localhost")
    yield* Effect.promise(() => once(server, "listening"))
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        for (const socket of sockets) socket.destroy()
        server.close()
      })
    )
    const address = server.address()
    return typeof address === "object" && address !== null ? address.port : 0
  })

const folder = { path: "INBOX", uidValidity: "1" }

/** Sends the same text until the client closes the connection. */
const flood = (socket: Socket, text: string): true => {
  const block = text.repeat(Math.ceil(65_536 / text.length))
  const send = (): void => {
    while (!socket.destroyed && socket.write(block));
  }
  socket.on("drain", send)
  send()
  return true
}

const limits = { commandMillis: 60_000, partBytes: 65_536, responseBytes: 1_048_576 }

describe("a hostile server", () => {
  const floods: ReadonlyArray<readonly [string, string, string]> = [
    ["an endless list of folders", "LIST", '* LIST () "/" "folder"\r\n'],
    [
      "an endless list of mails",
      "UID FETCH",
      '* 1 FETCH (UID 1 INTERNALDATE "01-Jan-2026 00:00:00 +0000" RFC822.SIZE 1)\r\n'
    ],
    ["an endless search result", "UID SEARCH", "* SEARCH 1 2 3 4 5 6 7 8 9\r\n"],
    ["an endless line", "UID FETCH", "x"],
    ["huge ranges of vanished mails", "UID FETCH", "* VANISHED 1:4294967295\r\n"]
  ]
  for (const [title, command, text] of floods) {
    it.live(`cannot send ${title}`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          let lists = 0
          const port = yield* hostile((socket, _, name) => {
            // The first list is that of the login.
            if (name === "LIST" && lists++ === 0) return false
            return name === command && flood(socket, text)
          })
          const mailbox = yield* openTo(loginTo(port), { limits })
          const range = command === "UID SEARCH" ? { from: 1, to: 1_000_000 } : { from: 1, to: 100 }
          const failing =
            command === "LIST" ? Effect.asVoid(mailbox.folders) : Effect.asVoid(mailbox.list(folder, range, 0))
          const failure = yield* Effect.flip(failing)
          assert.match(failure.message, /sent more than \d+ bytes|connection to the mail server ended/u)
        })
      )
    )
  }
  it.live("cannot send an endless response to the login", () =>
    Effect.scoped(
      Effect.gen(function* () {
        for (const command of ["CAPABILITY", "LIST"]) {
          const port = yield* hostile(
            (socket, _, name) => name === command && flood(socket, '* LIST () "/" "folder"\r\n')
          )
          const failure = yield* Effect.flip(openTo(loginTo(port), { limits }))
          assert.strictEqual(failure.problem, "protocol")
          assert.include(failure.detail, "too much before the login")
        }
      })
    )
  )
  it.live("cannot send a larger part of a mail than requested", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const port = yield* hostile(
          (socket, _, name) => name === "UID FETCH" && socket.write("* 1 FETCH (UID 1 BODY[]<0> {2000000000}\r\n")
        )
        const mailbox = yield* openTo(loginTo(port), { limits })
        const failure = yield* Effect.flip(mailbox.fetch(folder, 1, 1_000_000))
        assert.strictEqual(failure.reason._tag, "Unavailable")
        assert.include(failure.message, "2000000000")
      })
    )
  )
  it.live("cannot let a command wait for ever", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const server = yield* standIn()
        const mailbox = yield* openTo(loginTo(server.port), { limits: { commandMillis: 200 } })
        server.faults.isSilent = true
        const failure = yield* Effect.flip(mailbox.status("INBOX"))
        assert.include(failure.message, "did not respond within 0.2 seconds")
        assert.strictEqual((yield* Effect.flip(mailbox.status("INBOX"))).reason._tag, "Unavailable")
      })
    )
  )
  it.live("cannot delay the end of a connection", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const server = yield* Scope.provide(standIn(), yield* Scope.make())
      yield* Scope.provide(openTo(loginTo(server.port)), scope)
      server.faults.isSilent = true
      yield* Scope.close(scope, Exit.void)
      yield* Effect.promise(async () => {
        while (server.connections() > 0) await new Promise((resolve) => setImmediate(resolve))
        await server.close()
      })
    })
  )
})

describe("a large mailbox", () => {
  it.live(`is refused with more than ${maxFolders} folders to read`, () =>
    Effect.scoped(
      Effect.gen(function* () {
        const server = yield* standIn()
        const account = server.account(username)
        // INBOX, Sent and Archive are read too.
        for (let n = 0; n < maxFolders - 3; n++) account.create(`Folder ${n}`)
        const mailbox = yield* openTo(loginTo(server.port))
        assert.lengthOf(
          (yield* mailbox.folders).filter(({ role }) => role !== "ignored"),
          maxFolders
        )
        account.create("One more")
        const { reason } = yield* Effect.flip(mailbox.folders)
        assert.strictEqual(reason._tag, "Refused")
      })
    )
  )
  it.live("is listed completely with 20,000 mails and gaps between the UIDs", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const server = yield* standIn()
        const stored = server.account(username).folder("INBOX")
        const raw = mailOf("same")
        for (let n = 1; n <= 24_000; n++) stored.add(raw, n * 1_000)
        for (let uid = 6; uid <= 24_000; uid += 6) stored.remove(uid)
        const known = { path: "INBOX", uidValidity: String(stored.uidValidity) }
        const mailbox = yield* openTo(loginTo(server.port))
        const all = yield* mailbox.list(known, { from: 1, to: 4_294_967_295 }, 0)
        assert.lengthOf(all, 20_000)
        assert.isTrue(all.every(({ uid }, index) => index === 0 || uid > (all[index - 1]?.uid ?? 0)))
        const newest = yield* mailbox.list(known, { from: 1, to: 4_294_967_295 }, 23_000_000)
        assert.deepStrictEqual([newest.length, newest[0]?.uid], [834, 23_000])
      })
    )
  )
})
