/** What the people of a plan do, over HTTP. */
import { adminKey, at } from "../../test/world/TestServer.ts"
import { signedForm } from "../../test/world/TwilioStandIn.ts"
import { plusDays } from "./LocalTime.ts"
import { type Action, begin, type Person, type Plan } from "./Plan.ts"
import type { Providers, Receipt } from "./Providers.ts"
import type { SimulatedServers } from "./SimulatedServers.ts"
import { inParallel, type World } from "./World.ts"

/** An acknowledged action. */
export interface Fact {
  readonly person: Person
  readonly kind: Action["kind"]
  readonly value: string
  readonly hour: number
}

/** Carries out actions. */
export interface Actor {
  readonly facts: ReadonlyArray<Fact>
  /** Carries out actions in an hour, several at the same time. */
  readonly act: (actions: ReadonlyArray<Action>, hour: number) => Promise<void>
}

/** What actions depend on. */
interface Scene {
  readonly plan: Plan
  readonly servers: SimulatedServers
  readonly providers: Providers
  readonly world: World
  /** Returns the lead of a contact; null without one. */
  readonly leadOf: (contactId: string) => Promise<string | null>
}

/** A report of the mail system that a mail was not delivered (RFC 3464). */
const bounceOf = (email: string, office: string, messageId: string): string =>
  [
    "From: Mail Delivery System <mailer-daemon@relay.example>",
    `To: ${office}`,
    "Subject: Undelivered Mail Returned to Sender",
    `Message-ID: <bounce.${messageId}>`,
    "Content-Type: multipart/report; report-type=delivery-status; boundary=b",
    "",
    "--b",
    "Content-Type: text/plain",
    "",
    "Your mail was not delivered.",
    "--b",
    "Content-Type: message/delivery-status",
    "",
    "Reporting-MTA: dns; relay.example",
    "",
    `Final-Recipient: rfc822; ${email}`,
    "Action: failed",
    "Status: 5.1.1",
    "",
    "--b",
    "Content-Type: text/rfc822-headers",
    "",
    `Message-ID: <${messageId}>`,
    "",
    "--b--"
  ].join("\r\n")

/** Carries out an action. Returns whether it took place. `key` identifies the action. */
type Operation = (scene: Scene, person: Person, value: string, key: string) => Promise<boolean>

const idOf = ({ world }: Scene, { key }: Person): string => world.contactIds.get(key) ?? ""

const post = ({ servers }: Scene, { tenant }: Person, path: string, body: unknown, key: string) =>
  servers.insist({ method: "POST", path: `/tenants/${tenant}${path}`, body, as: adminKey, key }, [404, 409, 429])

const change =
  (bodyOf: (value: string) => unknown): Operation =>
  async (scene, person, value) => {
    const path = `/tenants/${person.tenant}/contacts/${idOf(scene, person)}`
    await scene.servers.insist({ method: "PATCH", path, body: bodyOf(value), as: adminKey })
    return true
  }

/** Returns the newest message to an address. */
const newestTo = ({ providers }: Scene, address: string): Receipt | undefined =>
  providers.receipts.findLast(({ to }) => to === address)

/** Returns an active enrolment of a contact; undefined without one. */
const enrolmentOf = async ({ servers }: Scene, { tenant }: Person, contactId: string): Promise<unknown> => {
  const path = `/tenants/${tenant}/enrolments?contact_id=${contactId}&state=active`
  return at((await servers.insist({ method: "GET", path, as: adminKey })).json, "enrolments", 0, "id")
}

const write: Operation = async ({ servers, world }, { email, tenant }, _, key) => {
  const body = { entity: { email }, content: { body: `Hello ${key}`, channel: "chat" } }
  await servers.insist({
    method: "POST",
    path: `/events/${tenant}/form`,
    body,
    as: world.sources.get(tenant) ?? "",
    key
  })
  return true
}

const unsubscribe: Operation = async (scene, { email }) => {
  const path = newestTo(scene, email)?.unsubscribePath ?? ""
  if (path === "") return false
  const headers = { "content-type": "application/x-www-form-urlencoded" }
  await scene.servers.insistForm(path, { headers, body: "List-Unsubscribe=One-Click" })
  return true
}

const stopTexts: Operation = async ({ plan, providers, servers }, { phone, tenant }, _, key) => {
  const path = "/api/v1/webhook/providers/twilio/sms"
  const to = plan.tenants.find((one) => one.tenant === tenant)?.phone ?? ""
  const form = { MessageSid: `SM${key}`, From: phone, To: to, Body: "STOP" }
  await servers.insistForm(path, signedForm(providers.token, path, form))
  return true
}

const bounce: Operation = async (scene, { email, tenant }) => {
  const { messageId = "" } = newestTo(scene, email) ?? {}
  if (messageId === "") return false
  const raw = Buffer.from(bounceOf(email, `office@${tenant}.example`, messageId)).toString("base64")
  const body = { historical: false, mails: [{ name: "bounce", raw }] }
  await scene.servers.insist({ method: "POST", path: `/import/${tenant}/email`, body, as: adminKey })
  return true
}

const operations: Readonly<Record<Action["kind"], Operation>> = {
  write,
  unsubscribe,
  "stop texts": stopTexts,
  bounce,
  enrol: async (scene, person, value, key) => {
    const path = `/sequences/${scene.world.sequenceIds.get(value)}/enrolments`
    await post(scene, person, path, { contact_id: idOf(scene, person) }, key)
    return true
  },
  stop: async (scene, person, _, key) => {
    const id = await enrolmentOf(scene, person, idOf(scene, person))
    if (typeof id !== "string") return false
    return (await post(scene, person, `/enrolments/${id}/stop`, undefined, key)).status === 200
  },
  tag: change(() => ({ tags: ["vip"] })),
  untag: change(() => ({ tags: [] })),
  field: change((value) => ({ custom_fields: { level: value } })),
  date: change((value) => ({ custom_fields: { renewal: dateOf(value) } })),
  answer: async (scene, person, _, key) => {
    const body = { to: [{ email: person.email }], subject: "An answer", body: "Hello" }
    return (await post(scene, person, "/email/send", body, key)).status === 201
  },
  archive: async (scene, person, _, key) => {
    const leadId = await scene.leadOf(idOf(scene, person))
    if (leadId === null) return false
    return (await post(scene, person, `/leads/${leadId}/transition`, { state: "archived" }, key)).status === 200
  }
}

/** Returns the date that a number of days follows the begin of the simulation. */
export const dateOf = (days: string): string => plusDays(new Date(begin).toISOString().slice(0, 10), Number(days))

/** Creates an actor. */
export const makeActor = (scene: Scene): Actor => {
  const facts: Array<Fact> = []
  return {
    facts,
    act: (actions, hour) =>
      inParallel(actions, async ({ kind, person, value }) => {
        const key = `${person.key}-${kind.replace(" ", "-")}-${hour}`
        if (await operations[kind](scene, person, value, key)) facts.push({ person, kind, value, hour })
      })
  }
}
