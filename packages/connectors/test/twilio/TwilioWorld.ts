import { createServer } from "node:http"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { TwilioConfig } from "../../src/twilio/TwilioConfig.ts"
import type { TextOrder } from "@leadloom/core/internal/port/provider/SmsProvider"
import { freePort } from "@leadloom/testkit/FreePort"
import { repository } from "@leadloom/testkit/Sources"
import { Ajv2020 } from "ajv/dist/2020.js"
import addFormats from "ajv-formats"
import { createEmulator, type Emulator } from "emulate"
import { Redacted } from "effect"
import { parse } from "qs"

export const accountSid = "AC00000000000000000000000000000000"
export const ours = "+15551234567"
export const jane = "+15550001111"
const token = "twilio_test_auth_token"

/** The provider's API description, if it is present next to the repository. */
const file = join(repository, "../shared/providers/openapi/twilio_api_v2010.json")

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const within = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), value)

/**
 * Returns the error in the form of a new message according to Twilio's description; null without a description or
 * error.
 */
export const checkMessageForm: ((form: string) => string | null) | null = existsSync(file)
  ? (form) => {
      const description: unknown = JSON.parse(readFileSync(file, "utf8"))
      const schema = within(
        description,
        "paths",
        "/2010-04-01/Accounts/{AccountSid}/Messages.json",
        "post",
        "requestBody",
        "content",
        "application/x-www-form-urlencoded",
        "schema"
      )
      if (!isRecord(schema)) return "there is no such request"
      const ajv = new Ajv2020({ strict: false, coerceTypes: true, allErrors: true })
      addFormats.default(ajv)
      ajv.addFormat("phone-number", /^\+[1-9]\d{6,14}$/u)
      const valid = ajv.compile({
        ...schema,
        additionalProperties: false,
        components: within(description, "components")
      })
      return valid(parse(form)) ? null : ajv.errorsText(valid.errors)
    }
  : null

/** A suffix of test titles when requests are not checked. */
export const specificationNote =
  checkMessageForm === null ? " (NOT CHECKED: no API description beside the repository)" : ""

/** The URL for status reports. */
export const statusUrl = "https://leads.example.com/api/v1/webhook/providers/twilio/status"

export const configAt = (apiUrl: string, changes: Partial<TwilioConfig> = {}): TwilioConfig => ({
  apiUrl,
  accountSid,
  authToken: Redacted.make(token),
  apiKey: null,
  ...changes
})

export const startTwilio = async (): Promise<Emulator> =>
  createEmulator({
    service: "twilio",
    port: await freePort(),
    seed: {
      twilio: {
        account: { sid: accountSid, auth_token: token },
        api_keys: [{ sid: `SK${"1".repeat(32)}`, secret: "a-secret-of-a-key" }],
        phone_numbers: [{ phone_number: ours }]
      }
    }
  })

/** A received request. */
export interface Received {
  readonly method: string
  readonly url: string
  readonly authorization: string
  readonly body: string
}

/** The next response. `cut`: none, after the request has been read. */
export type Mood = "cut" | { readonly status: number; readonly body: string; readonly headers?: Record<string, string> }

/** Starts a server that records its requests and sends the given responses. */
export const startListener = async (mood: () => Mood) => {
  const received: Array<Received> = []
  const server = createServer((request, response) => {
    const chunks: Array<Uint8Array> = []
    request.on("data", (chunk: Uint8Array) => chunks.push(chunk))
    request.on("end", () => {
      const { authorization = "" } = request.headers
      const body = Buffer.concat(chunks).toString()
      received.push({ method: request.method ?? "", url: request.url ?? "", authorization, body })
      const now = mood()
      if (now === "cut") return void request.socket.destroy()
      response.writeHead(now.status, { "content-type": "application/json", ...now.headers })
      response.end(now.body)
    })
  })
  const port = await freePort()
  await new Promise<void>((resolve) => void server.listen(port, "127.0.0.1", resolve))
  const close = () => new Promise<void>((resolve) => void server.close(() => resolve()))
  return { url: `http://127.0.0.1:${port}`, received, close }
}

export const order = (body = "We come on Monday.", to = jane): TextOrder => ({
  tenantId: "acme",
  messageId: "msg_00000000000000000000000001",
  text: { from: ours, to, body, segments: 1, automatic: false }
})
