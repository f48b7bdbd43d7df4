import { createHash } from "node:crypto"
import { LeadloomError } from "@leadloom/client"
import type { SimulatedAction } from "./Plan.ts"
import { type Business, tenantNumberKey, type World } from "./World.ts"

const base = "/api/v1/webhook/providers/twilio"

const sidOf = (prefix: string, ref: string): string =>
  `${prefix}${createHash("sha256").update(ref).digest("hex").slice(0, 32)}`

/** Returns the provider's id of a simulated action. */
export const providerIdOf = ({ ref, way }: Pick<SimulatedAction, "ref" | "way">): string =>
  sidOf(way === "call" ? "CA" : "SM", ref)

const mailOf = ({ answers, at, auto, person, ref, words }: SimulatedAction): string =>
  [
    `From: ${person.name} <${person.email}>`,
    `To: ${person.place.name} <hello@${person.place.domain}>`,
    `Subject: ${answers === null ? `An enquiry of ${person.name}` : `Re: An enquiry of ${person.name}`}`,
    `Date: ${new Date(at).toUTCString().replace("GMT", "+0000")}`,
    `Message-ID: <${ref}@mail.example>`,
    ...(answers === null ? [] : [`In-Reply-To: <${answers}@mail.example>`, `References: <${answers}@mail.example>`]),
    ...(auto ? ["Auto-Submitted: auto-replied"] : []),
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
    "",
    words,
    ""
  ].join("\r\n")

const importMail = async ({ operator, place }: Business, act: SimulatedAction): Promise<void> => {
  const mails = [{ name: act.ref, raw: Buffer.from(mailOf(act)).toString("base64") }]
  const [result] = (await operator.import.email(place.tenantId, { historical: false, mails })).results
  if (result === undefined || result.outcome === "failed" || result.outcome === "quarantined")
    throw new Error(`mail ${act.ref}: ${result?.outcome ?? "nothing"} ${result?.detail ?? ""}`)
}

const report = async (world: World, path: string, form: Readonly<Record<string, string>>): Promise<void> => {
  const status = await world.twilio.report(`${world.url}${base}/${path}`, form)
  if (status !== 200) throw new Error(`${path}: ${status}`)
}

/** Simulates an inbound call. First the call arrives. Then the status callback of the number reports its outcome. */
const ring = async (world: World, act: SimulatedAction): Promise<void> => {
  const { person } = act
  const form = { CallSid: providerIdOf(act), From: person.phone, To: person.place.number }
  await report(world, "voice", { ...form, CallStatus: "ringing" })
  await report(world, "call-status", { ...form, CallStatus: "no-answer" })
}

const callAssistant = async (
  { url }: World,
  { assistantSecret, place }: Business,
  act: SimulatedAction
): Promise<void> => {
  const { person, ref, words } = act
  const call = { id: `call-${ref}`, type: "inboundPhoneCall", customer: { number: person.phone } }
  const tools = [{ id: ref, function: { name: "create_lead", arguments: { message: words, name: person.name } } }]
  const answer = await fetch(`${url}/api/v1/voice/assistant/${place.tenantId}/tools`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-vapi-secret": assistantSecret },
    body: JSON.stringify({ message: { type: "tool-calls", call, toolCallList: tools } })
  })
  const said = await answer.text()
  if (answer.status !== 200 || said.includes('"error"')) throw new Error(`assistant: ${answer.status} ${said}`)
}

const sendEvent = async ({ client, place, sourceKey }: Business, { at, person, ref, way, words }: SimulatedAction) => {
  const { email, name, phone } = person
  const event = {
    entity: { id: email, name, email, phone },
    event_type: way === "chat" ? "chat.message" : "quote.requested",
    content: { body: words, ...(way === "chat" && { channel: "chat" as const }) },
    timestamp: new Date(at).toISOString()
  }
  await client.events.send(place.tenantId, "website", event, { idempotencyKey: ref, credential: sourceKey })
}

const arriveOnce = async (world: World, business: Business, act: SimulatedAction): Promise<void> => {
  const { person, ref, words } = act
  const { name, email, phone } = person
  const { tenantId, number } = person.place
  switch (act.way) {
    case "mail":
      return await importMail(business, act)
    case "sms":
      return await report(world, "sms", { MessageSid: providerIdOf(act), From: phone, To: number, Body: words })
    case "call":
      return await ring(world, act)
    case "assistant":
      return await callAssistant(world, business, act)
    case "form":
      await business.client.publicLeads.submit(tenantId, { name, email, message: words, submission_id: ref })
      return
    case "request":
      await business.client.pipeline.run(
        tenantId,
        { message: words, contact: { name, email }, channel: "chat" },
        { idempotencyKey: ref }
      )
      return
    case "chat":
    case "event":
      return await sendEvent(business, act)
  }
}

/** Delivers a simulated action as often as the plan repeats it. Records unexpected failures. */
export const arrive = async (world: World, act: SimulatedAction): Promise<void> => {
  const { place } = act.person
  const business = world.businesses.find((one) => one.place.tenantId === place.tenantId)
  if (business === undefined) return
  const { blocked, accepted, unexpected, consentChanges } = world.notes
  try {
    for (let copy = 0; copy < act.copies; copy++) await arriveOnce(world, business, act)
    // The server rejects a call from a blocked number and does not store it. The check of the result therefore must not
    // expect this call.
    const who = tenantNumberKey(place.tenantId, act.person.phone)
    if (act.way === "call" && blocked.has(who)) return
    if (/^(?:STOP|START)$/u.test(act.words)) consentChanges.push({ who, at: world.now(), stop: act.words === "STOP" })
    const hasId = act.way === "sms" || act.way === "call"
    accepted.push({ tenantId: place.tenantId, ref: act.ref, providerId: hasId ? providerIdOf(act) : null })
  } catch (error) {
    const why = error instanceof LeadloomError ? `${error.code} ${error.message}` : String(error)
    unexpected.push(`${place.tenantId} ${act.way} ${act.ref}: ${why}`)
  }
}
