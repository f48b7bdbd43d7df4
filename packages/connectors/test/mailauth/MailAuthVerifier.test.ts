import { assert, it } from "@effect/vitest"
import { MailVerifier } from "@leadloom/core/internal/port/provider/MailVerifier"
import { verifyProgram } from "@leadloom/testkit/Program"
import { Deferred, Effect, Fiber } from "effect"
import { DnsFailure, type Resolve } from "../../src/mailauth/BoundedResolver.ts"
import * as MailAuthVerifier from "../../src/mailauth/MailAuthVerifier.ts"

const client = { address: "192.0.2.1", helo: "mx.example", isTrusted: false }
const letter = Buffer.from("From: jo@customer.example\r\n\r\nWhat would a roof cost?\r\n")

it.live("verifies a mail again if another mail has ended the process", () =>
  Effect.gen(function* () {
    const asked = { stuck: yield* Deferred.make<void>(), other: yield* Deferred.make<void>() }
    let isStuck = true
    const resolve: Resolve = async (name) => {
      Deferred.doneUnsafe(name.startsWith("stuck") ? asked.stuck : asked.other, Effect.void)
      if (isStuck) await new Promise(() => undefined)
      if (name === "other.example") return [["v=spf1 ip4:192.0.2.1 -all"]]
      throw new DnsFailure("ENOTFOUND")
    }
    const layer = MailAuthVerifier.layerOf({ resolve, program: verifyProgram() })
    yield* Effect.gen(function* () {
      const { verify } = yield* MailVerifier
      const stuck = yield* Effect.forkChild(verify(letter, { client, sender: "jo@stuck.example" }))
      yield* Deferred.await(asked.stuck)
      const other = yield* Effect.forkChild(verify(letter, { client, sender: "jo@other.example" }))
      yield* Deferred.await(asked.other)
      isStuck = false
      yield* Fiber.interrupt(stuck)
      const verification = yield* Fiber.join(other)
      assert(verification._tag === "Verified")
      assert.deepStrictEqual(verification.mail.spf, { result: "pass", domain: "other.example" })
    }).pipe(Effect.provide(layer))
  })
)
