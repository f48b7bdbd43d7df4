import { randomBytes } from "node:crypto"
import type { Leadloom } from "@leadloom/client"
import { startTwilioStandIn } from "../day/TwilioStandIn.ts"
import type { Terminal } from "../Terminal.ts"
import { demoTenant } from "./Setup.ts"

/** The number of the demo tenant (reserved for fiction: 555-0100 to 555-0199). */
const number = "+12025550100"
/** A contact of the sample messages, who asks to be called back. */
const caller = "+12025550143"

const defaultPort = "4800"
const webhooks = "/api/v1/webhook/providers/twilio"

/**
 * The phone line of the demo: a stand-in of Twilio on this machine. It transmits no text and no call, so people can try
 * both.
 */
export interface PhoneLine {
  /** The environment that connects the server to the line. */
  readonly env: Terminal["env"]
  /** Gives the demo tenant its number. Idempotent. */
  readonly connect: (client: Leadloom) => Promise<void>
  /** Lets a contact call, and nobody answers. */
  readonly missCall: (serverUrl: string) => Promise<void>
  readonly close: () => void
}

/** Starts a phone line; null if the environment names a provider of texts and calls, which the demo then uses. */
export const startPhoneLine = async (env: Terminal["env"]): Promise<PhoneLine | null> => {
  if (Object.keys(env).some((name) => /^LEADLOOM_(?:TWILIO|TELNYX)_/u.test(name))) return null
  const twilio = await startTwilioStandIn(Date.now)
  const publicUrl = env["LEADLOOM_PUBLIC_URL"] ?? `http://127.0.0.1:${env["LEADLOOM_PORT"] ?? defaultPort}`
  const report = async (serverUrl: string, path: string, form: Readonly<Record<string, string>>): Promise<void> => {
    const status = await twilio.report(`${publicUrl}${webhooks}/${path}`, form, `${serverUrl}${webhooks}/${path}`)
    if (status !== 200) throw new Error(`The server answered the missed call with the status ${status}.`)
  }
  return {
    env: { LEADLOOM_PUBLIC_URL: publicUrl, ...twilio.env },
    connect: async (client) => {
      await client.phoneNumbers.assign({ phone: number, tenant_id: demoTenant, default: true })
    },
    missCall: async (serverUrl) => {
      const call = { CallSid: `CA${randomBytes(16).toString("hex")}`, From: caller, To: number }
      await report(serverUrl, "voice", { ...call, CallStatus: "ringing" })
      await report(serverUrl, "call-status", { ...call, CallStatus: "no-answer" })
    },
    close: twilio.close
  }
}
