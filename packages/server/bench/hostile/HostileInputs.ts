import { tarOf } from "@leadloom/testkit/suite/privacy/TarBytes"
import { Tar } from "effect/encoding"
import { someConfig } from "../../test/world/Endpoints.ts"
import { signedForm } from "../../test/world/TwilioStandIn.ts"
import { importOf } from "../../test/world/World.ts"
import { type HostileInput, htmlMail, saveConfig, sendEvent } from "./HostileRows.ts"
import { sendRequest, inSingleBytes, type Outcome, type Scene, sendMail, sendRaw } from "./HostileSending.ts"

/** Returns a generator of numbers in [0, 1), determined by the seed (mulberry32). */
export const randomOf = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

type Choices<A> = readonly [A, ...ReadonlyArray<A>]

const pick = <A>(random: () => number, items: Choices<A>): A => items[Math.floor(random() * items.length)] ?? items[0]

/** A hostile text and a hostile JSON value. */
interface Material {
  readonly text: string
  readonly value: unknown
}

const nest = (depth: number, wrap: (inner: unknown) => unknown): unknown => {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = wrap(value)
  return value
}

const wraps: Choices<(inner: unknown) => unknown> = [
  (inner) => [inner],
  (inner) => ({ a: inner }),
  (inner) => ({ all: [inner] }),
  (inner) => ({ not: inner })
]

const pairs: Choices<readonly [open: string, close: string]> = [
  ["<blockquote>", "</blockquote>"],
  ["<div><table><tr><td>", "</td></tr></table></div>"],
  ["> ", ""],
  ["(", ")"],
  ["{% if a %}", "{% endif %}"],
  ["<b><i>", ""],
  ["[[", "]]"]
]
const spaces: Choices<string> = [" ", "\u00a0", "\t", "\n", "\r\n", " \n", "\u3000", "\u200b", " \t\u00a0\n", "&nbsp;"]
const words: Choices<string> = [
  "a@",
  "<",
  "<!--",
  "<script",
  "On Mon, Jane wrote:\n> ",
  "-- \n",
  "https://",
  "stop ",
  "quiero ",
  "+1 212 555 ",
  "{{ a | b }}",
  "=?utf-8?q?=20?= ",
  "a.",
  "_",
  "###",
  '"\\',
  "From: a\nSent: b\n",
  "tomorrow at ",
  "&lt;",
  "\u0301"
]

/** The classes of hostile input. Each function creates material of about the given size in bytes. */
const classes: Readonly<Record<string, (random: () => number, bytes: number) => Material>> = {
  nesting: (random, bytes) => {
    const [open, close] = pick(random, pairs)
    const depth = Math.floor(bytes / (open.length + close.length + 1))
    const levels = Math.min(depth, pick(random, [190, 2_000, depth]))
    const filling = "x\n".repeat(Math.max(0, Math.floor((bytes - levels * (open.length + close.length)) / 2)))
    // A deeper value would overflow the stack of the sender, which serialises it.
    return {
      text: open.repeat(levels) + filling + close.repeat(levels),
      value: nest(Math.min(levels, 2_000), pick(random, wraps))
    }
  },
  repetition: (random, bytes) => {
    const word = pick(random, words)
    const text = word.repeat(Math.floor(bytes / Buffer.byteLength(word)))
    return { text, value: Array.from({ length: Math.floor(bytes / 40) }, () => ({ [word]: word })) }
  },
  whitespace: (random, bytes) => {
    const space = pick(random, spaces)
    const text = `a${space.repeat(Math.floor(bytes / Buffer.byteLength(space)))}${pick(random, ["b", ":", ""])}`
    return { text, value: Object.fromEntries([[text, text.slice(0, 1_000)]]) }
  },
  length: (random, bytes) => {
    const text = pick(random, ["a", "ä", "A1-", "a b "]).repeat(Math.floor(bytes / 4))
    return { text, value: { [text.slice(0, bytes / 2)]: text.slice(0, bytes / 2) } }
  },
  count: (random, bytes) => {
    const length = Math.floor(bytes / 12)
    const values: Choices<unknown> = [
      Array.from({ length }, () => 1),
      Array.from({ length }, () => ({})),
      Object.fromEntries(Array.from({ length }, (_, index) => [`k${index}`, 1]))
    ]
    const text = pick(random, ["a, ", "a;", "<p>a</p>", "a\n", "<a@b.cc>,"])
    return { text: text.repeat(Math.floor(bytes / text.length)), value: pick(random, values) }
  }
}

type Send = (scene: Scene, material: Material, random: () => number) => Promise<Outcome>

const post =
  (path: (scene: Scene) => string, bodyOf: (material: Material) => unknown, method = "POST"): Send =>
  (scene, material) =>
    sendRequest(scene, method, path(scene), { as: scene.adminKey, body: bodyOf(material) })

const ofTenant =
  (rest: string) =>
  ({ tenant }: Scene): string =>
    `/api/v1/tenants/${tenant.id}/${rest}`

/** Folds a header into lines of less than 998 bytes, as relaying mail servers do. */
const folded = (text: string): string => (text.replace(/[\r\n]+/gu, " ").match(/[^]{1,900}/gu) ?? []).join("\r\n ")

const sendTwilio = (scene: Scene, form: Readonly<Record<string, string>>): Promise<Outcome> => {
  const path = "/api/v1/webhook/providers/twilio/sms"
  const { body, headers } = signedForm(scene.twilioToken, path, form)
  return sendRequest(scene, "POST", path, { body, headers })
}

const assistantTool: Send = (scene, { text, value }, random) => {
  const name = pick(random, ["lookup_contact", "create_lead", "book_callback"])
  const call = { id: `call-${random()}`, type: "inboundPhoneCall", customer: { number: "+15550002222" } }
  const args = { message: text, time: text, name: text.slice(0, 200), more: value }
  const toolCallList = [{ id: "t1", type: "function", function: { name, arguments: args } }]
  const path = `/api/v1/voice/assistant/${scene.tenant.id}/tools`
  const headers = { "x-assistant-secret": scene.assistantSecret }
  return sendRequest(scene, "POST", path, { body: { message: { type: "tool-calls", call, toolCallList } }, headers })
}

const importTar: Send = (scene, { text }) => {
  const tar = tarOf(Tar.file("export.json", text.slice(0, 200_000)))
  return sendRaw(scene, inSingleBytes(ofTenant("import")(scene), scene.adminKey, "application/x-tar", tar))
}

/** Every entry point with its maximum size in bytes. */
const entries: Readonly<Record<string, readonly [maxBytes: number, send: Send]>> = {
  "SMTP HTML": [2_000_000, (scene, { text }) => sendMail(scene, htmlMail(text))],
  "SMTP text": [2_000_000, (scene, { text }) => sendMail(scene, htmlMail(text).replace("text/html", "text/plain"))],
  "SMTP header": [
    400_000,
    (scene, { text }, random) => {
      const name = pick(random, [
        "Cc",
        "Reply-To",
        "References",
        "In-Reply-To",
        "X-Eve",
        "Content-Disposition",
        "Received"
      ])
      return sendMail(scene, htmlMail("Hi", `${name}: ${folded(text)}\r\n`))
    }
  ],
  "raw mail import": [
    700_000,
    (scene, { text }) => {
      const body = importOf(htmlMail(text))
      return sendRequest(scene, "POST", `/api/v1/import/${scene.tenant.id}/email`, { as: scene.adminKey, body })
    }
  ],
  events: [240_000, (scene, { text, value }) => sendEvent(scene, text, { context: { value } })],
  pipeline: [
    240_000,
    (scene, { text, value }) => {
      const body = { message: text, contact: { email: "jane@customer.example" }, metadata: { value } }
      return sendRequest(scene, "POST", `/api/v1/webhook/automation/${scene.tenant.id}`, {
        as: scene.tenant.apiKey,
        body
      })
    }
  ],
  "public leads": [
    240_000,
    (scene, { text, value }) => {
      const body = { name: "Jo", email: "jo@customer.example", message: text, consent: true, more: value }
      const headers = { origin: "https://www.acme.com" }
      return sendRequest(scene, "POST", `/api/v1/public/leads/${scene.tenant.id}`, { body, headers })
    }
  ],
  configuration: [
    1_000_000,
    (scene, { text, value }, random) => {
      const when = pick(random, [value, { fact: "message.text", op: "matches", value: text.slice(0, 500) }])
      const template = text.slice(0, 10_000)
      const rules = [{ id: "one", name: "One", priority: 1, when, actions: [{ type: "reply", template }] }]
      return saveConfig(scene, { ...someConfig, rules })
    }
  ],
  sessions: [1_000_000, (scene, { value }) => sendRequest(scene, "POST", "/api/v1/sessions", { body: value })],
  "Twilio webhook": [
    1_000_000,
    (scene, { text }, random) =>
      sendTwilio(scene, { From: "+12125550123", To: "+15550100001", Body: text, MessageSid: `SM${random()}` })
  ],
  "Stripe webhook": [
    1_000_000,
    (scene, { value }) => {
      const headers = { "stripe-signature": "t=1,v1=00" }
      return sendRequest(scene, "POST", "/api/v1/webhook/providers/stripe", { body: value, headers })
    }
  ],
  search: [1_000_000, post(ofTenant("search"), ({ text }) => ({ query: text }))],
  contacts: [
    240_000,
    post(ofTenant("contacts"), ({ text, value }) => ({ name: "Jo", notes: text, attributes: value }))
  ],
  "email/send": [
    150_000,
    post(ofTenant("email/send"), ({ text, value }) => ({ to: value, subject: "Hi", body: text, html: text }))
  ],
  reply: [
    1_000_000,
    post(
      (scene) => `${ofTenant("conversations")(scene)}/${scene.contactId}/messages`,
      ({ text }) => ({ body: text, channel: "email" })
    )
  ],
  "tar import": [200_000, importTar],
  "assistant tools": [1_000_000, assistantTool]
}

/**
 * Returns the given number of inputs, each of one class for one entry point. All pairs of entry point and class rotate.
 */
export const generatedInputs = (seed: number, count: number): ReadonlyArray<HostileInput> => {
  const combinations = Object.entries(entries).flatMap(([entry, [maxBytes, send]]) =>
    Object.entries(classes).map(([kind, make]) => ({ entry, kind, make, maxBytes, send }))
  )
  return Array.from({ length: count }, (_, index) => index).flatMap((index) => {
    const combination = combinations[index % combinations.length]
    if (combination === undefined) return []
    const { entry, kind, make, maxBytes, send } = combination
    const random = randomOf(seed * 1_000_003 + index)
    const bytes = Math.floor(maxBytes * pick(random, [0.95, 0.95, 0.3]))
    const name = `${index}: ${entry}, ${kind}, ${bytes} bytes`
    return [{ name, send: (scene: Scene) => send(scene, make(random, bytes), random) }]
  })
}
