import { createHmac, randomBytes } from "node:crypto"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"

/** A text that the stand-in received from the server. */
export interface SentText {
  /** The time at which the server sent the text, in epoch milliseconds of the simulation. */
  readonly at: number
  readonly from: string
  readonly to: string
  readonly body: string
}

/** A call that the server asked the stand-in to place. */
export interface PlacedCall {
  readonly at: number
  readonly to: string
}

/**
 * A local stand-in for Twilio. It accepts texts and calls without transmitting them. It sends signed status callbacks
 * to the server.
 */
export interface TwilioStandIn {
  readonly env: Readonly<Record<string, string>>
  readonly texts: ReadonlyArray<SentText>
  readonly calls: ReadonlyArray<PlacedCall>
  /**
   * Posts a form that is signed for a URL of the server. Returns the status. `to` is the address of the server if it
   * differs from the public one.
   */
  readonly report: (url: string, form: Readonly<Record<string, string>>, to?: string) => Promise<number>
  /** The number of pending callbacks. */
  readonly open: () => number
  /** Status callbacks that the server answered with a status other than 200. */
  readonly refused: ReadonlyArray<string>
  readonly close: () => void
}

/** Calls to numbers that end in these digits are not answered. */
const nobodyAnswers = /[379]$/u

const bodyOf = async (request: IncomingMessage): Promise<URLSearchParams> => {
  const chunks: Array<Uint8Array> = []
  for await (const chunk of request) chunks.push(chunk)
  return new URLSearchParams(Buffer.concat(chunks).toString())
}

const makeReport =
  (token: string) =>
  async (url: string, form: Readonly<Record<string, string>>, to = url) => {
    const signed = Object.keys(form)
      .toSorted()
      .map((name) => name + (form[name] ?? ""))
    const signature = createHmac("sha1", token)
      .update(url + signed.join(""))
      .digest("base64")
    const answer = await fetch(to, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", "x-twilio-signature": signature },
      body: new URLSearchParams(form).toString()
    })
    await answer.arrayBuffer()
    return answer.status
  }

/** Returns the first URL in a TwiML attribute of this name. */
const addressIn = (twiml: string, attribute: string): string =>
  (new RegExp(`${attribute}="([^"]*)"`, "u").exec(twiml)?.[1] ?? "").replaceAll("&amp;", "&")

/** Simulates a call: the agent answers, and the contact answers or does not. */
const callStory = (sid: string, form: URLSearchParams) => {
  const twiml = form.get("Twiml") ?? ""
  const [agent, contact] = [form.get("StatusCallback") ?? "", addressIn(twiml, "statusCallback")]
  const called = /<Number[^>]*>([^<]*)</u.exec(twiml)?.[1] ?? ""
  const leg = { CallSid: `${sid.slice(0, -1)}f`, ParentCallSid: sid }
  const accepted = !nobodyAnswers.test(called)
  const end = accepted ? { CallStatus: "completed", CallDuration: "180" } : { CallStatus: "no-answer" }
  const dialed = accepted ? { DialCallStatus: "completed", DialCallDuration: "180" } : { DialCallStatus: "no-answer" }
  return [
    [agent, { CallSid: sid, CallStatus: "ringing" }],
    [agent, { CallSid: sid, CallStatus: "in-progress" }],
    [contact, { ...leg, CallStatus: "ringing" }],
    ...(accepted ? [[contact, { ...leg, CallStatus: "in-progress" }] as const] : []),
    [contact, { ...leg, ...end }],
    [addressIn(twiml, "action"), { CallSid: sid, ...dialed }],
    [agent, { CallSid: sid, CallStatus: "completed", CallDuration: "190" }]
  ] as const
}

const storyOf = (path: string, sid: string, form: URLSearchParams) => {
  if (path.endsWith("/Calls.json")) return callStory(sid, form)
  const url = form.get("StatusCallback") ?? ""
  return ["sent", "delivered"].map((MessageStatus) => [url, { MessageSid: sid, MessageStatus }] as const)
}

/** Starts a stand-in on a free port. `now` is the simulated time. */
export const startTwilioStandIn = async (now: () => number): Promise<TwilioStandIn> => {
  const token = randomBytes(16).toString("hex")
  const report = makeReport(token)
  const [texts, calls, refused]: [Array<SentText>, Array<PlacedCall>, Array<string>] = [[], [], []]
  let [number, open] = [0, 0]
  const follow = async (story: ReturnType<typeof storyOf>): Promise<void> => {
    for (const [url, form] of story) {
      const status = url === "" ? 200 : await report(url, form).catch(() => 0)
      if (status !== 200) refused.push(`${status} ${new URL(url).pathname}`)
    }
    open -= 1
  }
  const server = createServer(async (request, response) => {
    const form = await bodyOf(request)
    const [path = ""] = (request.url ?? "").split("?")
    const isCall = path.endsWith("/Calls.json")
    const sid = `${isCall ? "CA" : "SM"}${String(++number).padStart(30, "0")}a0`
    const [from, to, body] = [form.get("From") ?? "", form.get("To") ?? "", form.get("Body") ?? ""]
    if (isCall) calls.push({ at: now(), to: /<Number[^>]*>([^<]*)</u.exec(form.get("Twiml") ?? "")?.[1] ?? "" })
    else texts.push({ at: now(), from, to, body })
    open += 1
    response.writeHead(201, { "content-type": "application/json" }).end(JSON.stringify({ sid, status: "queued" }))
    void follow(storyOf(path, sid, form))
  })
  const listening = Promise.withResolvers<void>()
  server.listen(0, "127.0.0.1", () => listening.resolve())
  await listening.promise
  const { port } = server.address() as AddressInfo
  return {
    env: {
      LEADLOOM_TWILIO_API_URL: `http://127.0.0.1:${port}`,
      LEADLOOM_TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`,
      LEADLOOM_TWILIO_AUTH_TOKEN: token
    },
    texts,
    calls,
    refused,
    report,
    open: () => open,
    close: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}
