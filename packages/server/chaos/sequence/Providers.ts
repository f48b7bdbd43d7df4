/** The stand-ins of the mail relay and of Twilio, with outages, and what they have received. */
import { startSink } from "@leadloom/testkit/mail/SmtpSink"
import { publicUrl, startTwilio } from "../../test/world/TwilioStandIn.ts"
import { makeRelay } from "../Relay.ts"

/** A message that a provider has accepted. */
export interface Receipt {
  readonly channel: "email" | "sms"
  /** The address or the number of the person. */
  readonly to: string
  /** The subject, or the text. A message of a sequence has the keys of its sequence and its step. */
  readonly text: string
  /** The hour of the simulation. */
  readonly hour: number
  /** The Message-ID of a mail without its brackets. */
  readonly messageId: string
  /** The path of the link to unsubscribe; empty without one. */
  readonly unsubscribePath: string
}

/** The providers of a simulation. */
export interface Providers {
  readonly environment: Readonly<Record<string, string>>
  readonly token: string
  readonly setMail: (isUp: boolean) => Promise<void>
  readonly setTexts: (isUp: boolean) => void
  /** Assigns everything that was received since the last call to an hour. */
  readonly collect: (hour: number) => void
  readonly receipts: ReadonlyArray<Receipt>
  readonly close: () => Promise<void>
}

/** More requests than an outage of the provider can receive. */
const refusals = 20_000
const refusal = { status: 503, body: '{"status":503,"message":"unavailable"}' }

const header = (raw: string, name: string): string => new RegExp(`^${name}: (.*?)\\r?$`, "imu").exec(raw)?.[1] ?? ""

const linkIn = (raw: string): string => {
  const link = header(raw, "List-Unsubscribe").slice(1, -1)
  return link.startsWith(publicUrl) ? link.slice(publicUrl.length) : ""
}

/** Starts the providers. */
export const startProviders = async (): Promise<Providers> => {
  const sink = await startSink()
  const relay = await makeRelay(sink.port)
  await relay.up()
  const twilio = await startTwilio()
  const receipts: Array<Receipt> = []
  let [mails, texts, isMailUp, areTextsUp] = [0, 0, true, true]
  const collectMails = (hour: number): void => {
    for (; mails < sink.mails.length; mails++) {
      const { accepted = false, raw = "", to = [] } = sink.mails[mails] ?? {}
      const text = header(raw, "Subject")
      const messageId = header(raw, "Message-ID").slice(1, -1)
      if (accepted)
        receipts.push({ channel: "email", to: to[0] ?? "", text, hour, messageId, unsubscribePath: linkIn(raw) })
    }
  }
  const collectTexts = (hour: number, isAccepted: boolean): void => {
    for (; texts < twilio.requests.length; texts++) {
      const form = twilio.requests[texts]?.form
      const [to, text] = [form?.get("To") ?? "", form?.get("Body") ?? ""]
      if (isAccepted && text !== "")
        receipts.push({ channel: "sms", to, text, hour, messageId: "", unsubscribePath: "" })
    }
  }
  return {
    environment: { ...twilio.env, LEADLOOM_SMTP_URL: `smtp://127.0.0.1:${relay.port}` },
    token: twilio.token,
    setMail: async (isUp) => {
      if (isUp !== isMailUp) await (isUp ? relay.up() : relay.down())
      isMailUp = isUp
    },
    setTexts: (isUp) => {
      if (isUp === areTextsUp) return
      areTextsUp = isUp
      twilio.next.length = 0
      if (!isUp) for (let count = 0; count < refusals; count++) twilio.next.push(refusal)
    },
    collect: (hour) => {
      collectMails(hour)
      collectTexts(hour, areTextsUp)
    },
    receipts,
    close: async () => {
      twilio.close()
      await relay.down()
      await sink.close()
    }
  }
}
