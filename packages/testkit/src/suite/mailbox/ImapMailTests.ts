import { assert } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { hour, mailOf, start, type Test, uidsOf, whole } from "./ImapBox.ts"

/** Tests the content of mails, stored mails and flags. */
export const contentTests = (test: Test): void => {
  test("reads the exact bytes of a mail and leaves its flags unchanged", ({ deliver, flags, folder, mailbox }) =>
    Effect.gen(function* () {
      const body = 'Gr\u00fc\u00dfe {3}\r\n) OK "x" \\\r\n'.repeat(200)
      const large = mailOf("large", "0123456789abcd\r\n".repeat(200_000))
      const exact = mailOf("exact", "x".repeat(2 * 1_048_576 - mailOf("exact", "").length))
      const mails = [mailOf("plain", body), large, exact, mailOf("empty", "")]
      for (const raw of mails) yield* deliver("INBOX", raw)
      const inbox = yield* folder("INBOX")
      for (const [index, raw] of mails.entries()) {
        const read = yield* mailbox.fetch(inbox, index + 1, 10_000_000)
        assert.isTrue(Buffer.from(raw).equals(read ?? new Uint8Array()), `mail ${index + 1}`)
      }
      assert.isTrue(
        Buffer.from(large)
          .subarray(0, 1_500_000)
          .equals((yield* mailbox.fetch(inbox, 2, 1_500_000)) ?? large)
      )
      assert.isNull(yield* mailbox.fetch(inbox, 99, 1_000))
      assert.deepStrictEqual(yield* flags("INBOX", 1), [])
    }))
  test("reads the exact bytes of small mails together", ({ deliver, does, flags, folder, mailbox }) =>
    Effect.gen(function* () {
      const bodies = ["one", 'Gr\u00fc\u00dfe {3}\r\n) OK "x" \\\r\n'.repeat(20), "gone", "", "x".repeat(5_000)]
      for (const [index, body] of bodies.entries()) yield* deliver("INBOX", mailOf(`m${index}`, body))
      const inbox = yield* folder("INBOX")
      yield* does((world, username) => world.expunge(username, "INBOX", 3))
      const found = yield* mailbox.fetchSmall(inbox, [5, 2, 1, 3, 99, 4], 2_000)
      assert.sameMembers([...found.keys()], [1, 2, 4, 5])
      for (const [uid, raw] of found) {
        const whole = Buffer.from(mailOf(`m${uid - 1}`, bodies[uid - 1]))
        assert.isTrue(whole.subarray(0, 2_000).equals(raw), `mail ${uid}`)
      }
      assert.deepStrictEqual(yield* flags("INBOX", 1), [])
      const replaced = yield* Effect.flip(mailbox.fetchSmall({ ...inbox, uidValidity: "1234567" }, [1], 2_000))
      assert.strictEqual(replaced.reason._tag, "Gone")
    }))
  test("appends a mail as seen, and finds it", ({ deliver, flags, folder, mailbox }) =>
    Effect.gen(function* () {
      yield* deliver("INBOX", mailOf("in"))
      // An open folder without permanent flags must not remove the flags of the stored mail.
      yield* mailbox.list(yield* folder("INBOX"), whole, 0)
      assert.isFalse(yield* mailbox.contains("Sent", "out@example.org"))
      yield* mailbox.append("Sent", mailOf("out"))
      assert.isTrue(yield* mailbox.contains("Sent", "out@example.org"))
      assert.isFalse(yield* mailbox.contains("Sent", "in@example.org"))
      assert.deepStrictEqual(yield* flags("Sent", 1), ["\\Seen"])
      const raw = yield* mailbox.fetch(yield* folder("Sent"), 1, 1_000)
      assert.deepStrictEqual(Buffer.from(raw ?? []), mailOf("out"))
      assert.strictEqual((yield* Effect.flip(mailbox.append("Nowhere", mailOf("x")))).reason._tag, "Gone")
    }))
  test("adds flags to a mail by its Message-ID", ({ deliver, flags, folder, mailbox }) =>
    Effect.gen(function* () {
      yield* deliver("INBOX", mailOf("one"))
      yield* deliver("INBOX", mailOf("two"))
      yield* mailbox.list(yield* folder("INBOX"), whole, 0)
      yield* mailbox.addFlags("INBOX", "two@example.org", ["\\Seen", "\\Answered"])
      yield* mailbox.addFlags("INBOX", "unknown@example.org", ["\\Seen"])
      assert.sameMembers([...(yield* flags("INBOX", 2))], ["\\Seen", "\\Answered"])
      assert.deepStrictEqual(yield* flags("INBOX", 1), [])
    }))
}

/** Tests moved and expunged mails. */
export const changeTests = (test: Test): void => {
  test("sees moved and expunged mails", ({ deliver, does, folder, mailbox }) =>
    Effect.gen(function* () {
      for (let n = 1; n <= 4; n++) yield* deliver("INBOX", mailOf(`m${n}`), start + n * hour)
      const inbox = yield* folder("INBOX")
      assert.lengthOf(yield* mailbox.list(inbox, whole, 0), 4)
      yield* does((world, username) => world.move(username, "INBOX", 2, "Archive"))
      yield* does((world, username) => world.expunge(username, "INBOX", 3))
      assert.deepStrictEqual(uidsOf(yield* mailbox.list(inbox, whole, 0)), [1, 4])
      assert.isNull(yield* mailbox.fetch(inbox, 3, 1_000))
      const [moved] = yield* mailbox.list(yield* folder("Archive"), whole, 0)
      assert.deepStrictEqual(moved, { uid: 1, receivedAt: start + 2 * hour, bytes: mailOf("m2").length })
    }))
}

/** Tests waiting for a change. */
export const waitTests = (test: Test): void => {
  const day = 24 * hour
  test("waits until a mail arrives", ({ deliver, mailbox }) =>
    Effect.gen(function* () {
      yield* mailbox.status("INBOX")
      for (let n = 1; n <= 3; n++) {
        const waiting = yield* Effect.forkChild(mailbox.wait("INBOX", day))
        yield* deliver("INBOX", mailOf(`m${n}`))
        yield* Fiber.join(waiting)
        assert.strictEqual((yield* mailbox.status("INBOX")).uidNext, n + 1)
      }
    }))
  test("does not wait when a mail arrived since the last status", ({ deliver, mailbox }) =>
    Effect.gen(function* () {
      yield* mailbox.status("INBOX")
      yield* deliver("INBOX", mailOf("one"))
      yield* mailbox.status("Sent")
      yield* mailbox.wait("INBOX", day)
    }))
  test("ends an interrupted wait, and continues on the connection", ({ deliver, folder, mailbox }) =>
    Effect.gen(function* () {
      const inbox = yield* folder("INBOX")
      for (let n = 1; n <= 3; n++) {
        const waiting = yield* Effect.forkChild(mailbox.wait("INBOX", day))
        yield* Effect.sleep(n * 20)
        yield* Fiber.interrupt(waiting)
        yield* deliver("INBOX", mailOf(`m${n}`))
        assert.lengthOf(yield* mailbox.list(inbox, whole, 0), n)
      }
    }))
  test("ends a wait after its time", ({ mailbox }) =>
    Effect.gen(function* () {
      yield* mailbox.wait("INBOX", 100)
      assert.strictEqual((yield* mailbox.status("INBOX")).messages, 0)
    }))
}
