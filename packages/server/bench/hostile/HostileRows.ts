import { tarOf } from "@leadloom/testkit/suite/privacy/TarBytes"
import { Tar } from "effect/encoding"
import { someConfig } from "../../test/world/Endpoints.ts"
import {
  sendRequest,
  holdConnections,
  inSingleBytes,
  type Outcome,
  type Scene,
  sendMail,
  sendRaw
} from "./HostileSending.ts"

/** One input and the function that sends it. */
export interface HostileInput {
  readonly name: string
  readonly send: (scene: Scene) => Promise<Outcome>
}

let mails = 0

/** Returns a mail whose only content is HTML. */
export const htmlMail = (html: string, headers = ""): string => {
  const id = `<${++mails}.${Date.now()}@hostile.example>`
  const head = `From: Eve <eve@hostile.example>\r\nTo: sales@acme.com\r\nSubject: Roof ${mails}\r\nMessage-ID: ${id}\r\n`
  return `${head}Date: Sun, 1 Mar 2026 09:30:00 +0000\r\n${headers}MIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${html}`
}

/** Saves a configuration of the sender's tenant. */
export const saveConfig = ({ adminKey, tenant, url }: Scene, config: unknown): Promise<Outcome> =>
  sendRequest({ url }, "PUT", `/api/v1/config/${tenant.id}`, { as: adminKey, body: config })

/** Sends an event of the sender's tenant, which the configuration processes. */
export const sendEvent = ({ tenant, url }: Scene, body: string, more: object = {}): Promise<Outcome> =>
  sendRequest({ url }, "POST", `/api/v1/events/${tenant.id}/crm`, {
    as: tenant.sourceKey,
    body: { entity: { id: "42", email: "jane@customer.example" }, content: { body }, ...more }
  })

/** Saves a configuration and sends a message that makes it expensive. */
const configured = async (scene: Scene, config: object, body: string): Promise<Outcome> => {
  const saved = await saveConfig(scene, { ...someConfig, ...config })
  if (!saved.answer.startsWith("2")) return { ...saved, answer: `configuration ${saved.answer}` }
  const sent = await sendEvent(scene, body)
  return { ...sent, answer: `event ${sent.answer}` }
}

const always = { fact: "message.channel", op: "exists", value: true }
const rule = (index: number, when: unknown, actions: ReadonlyArray<unknown>) => ({
  id: `rule-${index}`,
  name: `Rule ${index}`,
  priority: index,
  when,
  actions
})
const glob = (index: number) => ({ fact: "message.text", op: "matches", value: `*a*b*c*d*e*f*g*${index}*z` })
const notify = (message: string) => ({ type: "notify", message })
const long = (unit: string, length: number): string => unit.repeat(Math.ceil(length / unit.length)).slice(0, length)

const expensive = '{{ message.text | upcase | replace: "A", "bb" | split: "b" | join: "c" | size }}'

const globs = Array.from({ length: 6 }, (_, index) =>
  rule(index, { any: Array.from({ length: 490 }, (_, each) => glob(index * 1_000 + each)) }, [
    { type: "tag", tag: "x" }
  ])
)
const notifies = Array.from({ length: 200 }, (_, index) =>
  rule(
    index,
    always,
    Array.from({ length: 20 }, () => notify(expensive))
  )
)
const copies = Array.from({ length: 10 }, (_, index) =>
  rule(
    index,
    always,
    Array.from({ length: 20 }, () => notify("{{ message.text }}"))
  )
)
const phrases = Array.from({ length: 20 }, (_, index) => ({
  id: `phrases-${index}`,
  kind: "blocked_phrases",
  phrases: Array.from({ length: 200 }, (_, each) => `${"a ".repeat(60)}b${index}-${each}`)
}))
const parrot = [rule(0, always, [{ type: "reply", template: "{{ message.text }}", mode: "draft" }])]

const archive = (size: number): Uint8Array => tarOf(Tar.file("export.json", Buffer.alloc(size, 0x20)))

const nestedQuotes = `${"<blockquote>".repeat(190)}<pre>${"x\n".repeat(250_000)}</pre>${"</blockquote>".repeat(190)}`
const spaced = `jane${" ".repeat(60_000)}miller <jane@customer.example>`
const spacedHeaders = ["Cc", "Reply-To", "Sender", "Bcc"].map((name) => `${name}: ${spaced}\r\n`).join("")
const manyKeys = JSON.stringify(
  Object.fromEntries(Array.from({ length: 120_000 }, (_, index) => [index.toString(36), 1]))
)
const invalidRules = [rule(0, { all: Array.from({ length: 60_000 }, () => ({})) }, [{ type: "stop" }])]

/** The inputs that blocked the server of the first release. */
export const knownInputs: ReadonlyArray<HostileInput> = [
  { name: "mail: 190 quotes around 250,000 lines", send: (scene) => sendMail(scene, htmlMail(nestedQuotes)) },
  {
    name: "mail: 400 KB of no-break spaces",
    send: (scene) => sendMail(scene, htmlMail(`a${"\u00a0".repeat(200_000)}b`))
  },
  {
    name: "mail: four address headers of 60,000 spaces",
    send: (scene) => sendMail(scene, htmlMail("Hi", spacedHeaders))
  },
  {
    name: "sessions: 120,000 unknown keys",
    send: (scene) => sendRequest(scene, "POST", "/api/v1/sessions", { body: manyKeys })
  },
  {
    name: "email/send: to with 400,000 numbers",
    send: (scene) =>
      sendRequest(scene, "POST", `/api/v1/tenants/${scene.tenant.id}/email/send`, {
        as: scene.tenant.apiKey,
        body: { to: Array.from({ length: 400_000 }, () => 1), body: "Hi" }
      })
  },
  {
    name: "configuration: 60,000 invalid conditions",
    send: (scene) => saveConfig(scene, { ...someConfig, rules: invalidRules })
  },
  {
    name: "configuration: 2,940 glob patterns",
    send: (scene) => configured(scene, { rules: globs }, long("abcdefg", 900_000))
  },
  {
    name: "configuration: 4,000 notify actions with expensive templates",
    send: (scene) => configured(scene, { rules: notifies }, long("abc ", 20_000))
  },
  {
    name: "configuration: 4,000 blocked phrases over a reply of 900 KB",
    send: (scene) => configured(scene, { rules: parrot, guardrails: phrases }, long("a ", 900_000))
  },
  {
    name: "configuration: 200 notify actions that repeat 900 KB",
    send: (scene) => configured(scene, { rules: copies }, long("roof ", 900_000))
  },
  {
    name: "import: an archive in chunks of one byte",
    send: (scene) => {
      const path = `/api/v1/tenants/${scene.tenant.id}/import`
      return sendRaw(scene, inSingleBytes(path, scene.adminKey, "application/x-tar", archive(400_000)))
    }
  },
  {
    name: "SMTP: six mails at 3 bytes in 5 s",
    send: (scene) => holdConnections(scene, { count: 6, hosts: 1, millis: 12_000, slowMail: true })
  },
  {
    name: "SMTP: 200 idle connections",
    send: (scene) => holdConnections(scene, { count: 200, hosts: 4, millis: 5_000, slowMail: false })
  }
]
