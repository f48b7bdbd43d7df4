import { Effect, Redacted } from "effect"
import { freePort } from "@leadloom/testkit/FreePort"
import type { Emulator } from "emulate"
import { afterAll, beforeAll, expect, it } from "vitest"
import { probeSms } from "../../src/sms/SmsLayer.ts"
import { twilioAccount } from "../../src/twilio/TwilioSms.ts"
import { configAt, startTwilio } from "./TwilioWorld.ts"

let twilio: Emulator
beforeAll(async () => {
  twilio = await startTwilio()
})
afterAll(() => twilio.close())

it("reports whether the account accepts the credentials", async () => {
  expect(await Effect.runPromise(probeSms(twilioAccount(configAt(twilio.url))))).toBeNull()
  const wrong = configAt(twilio.url, { authToken: Redacted.make("a wrong token") })
  expect(await Effect.runPromise(probeSms(twilioAccount(wrong)))).toContain("20003")
  expect(await Effect.runPromise(probeSms(twilioAccount(configAt(`http://127.0.0.1:${await freePort()}`))))).toContain(
    "cannot be reached"
  )
})
