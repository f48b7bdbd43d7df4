import { element, type Node, twiml } from "./Twiml.ts"

/** Where Twilio tells of a call: our own address with the tenant and the call in its query, which it signs. */
export interface CallReference {
  /** Where this server is called, without a slash at the end. */
  readonly publicUrl: string
  readonly tenantId: string
  readonly callId: string
}

/** Below this, Twilio tells of calls. */
export const twilioPath = "/api/v1/webhook/providers/twilio"

/** What is told where. */
export type CallRoute = "call-status" | "dialed" | "recording"

/** The address at which something of a call is told. */
export const callUrl = (
  { callId, publicUrl, tenantId }: CallReference,
  route: CallRoute,
  about: string | null = null
): string => {
  const query = new URLSearchParams({ tenant: tenantId, call: callId, ...(about === null ? {} : { about }) })
  return `${publicUrl}${twilioPath}/${route}?${query.toString()}`
}

/** Two who are connected. */
export interface Connection {
  readonly place: CallReference
  /** Whom the one on the line is connected with, E.164. */
  readonly to: string
  /** The number that this one sees, E.164. */
  readonly callerId: string
  readonly record: boolean
  /** Whose leg the new one is; null: somebody whom nobody waits to hear of. */
  readonly leg: "contact" | "agent" | null
  /** What its end is told as. */
  readonly end: "dial" | "transfer"
}

/** For how long a telephone rings, seconds: shorter than most voice mail waits. */
const ringSeconds = "25"

/** Connects whoever is on the line with somebody. */
const dial = ({ callerId, end, leg, place, record, to }: Connection): Node =>
  element(
    "Dial",
    {
      callerId,
      answerOnBridge: "true",
      timeout: ringSeconds,
      action: callUrl(place, "dialed", end),
      record: record ? "record-from-answer-dual" : null,
      recordingStatusCallback: record ? callUrl(place, "recording") : null,
      recordingStatusCallbackEvent: record ? "completed absent" : null
    },
    element(
      "Number",
      leg === null
        ? {}
        : { statusCallback: callUrl(place, "call-status", leg), statusCallbackEvent: "ringing answered completed" },
      to
    )
  )

const say = (text: string): ReadonlyArray<Node> => (text.trim() === "" ? [] : [element("Say", {}, text)])

/** The document that connects two. */
export const connectTwiml = (connection: Connection): string => twiml(dial(connection))

/** What a caller hears: the greeting, then whoever takes calls; nobody: the greeting alone. */
export const answerTwiml = (greeting: string, connection: Connection | null): string =>
  connection === null
    ? twiml(...say(greeting === "" ? "Thank you for calling. We will call you back." : greeting), element("Hangup"))
    : twiml(...say(greeting), dial(connection))

/** The call is not taken. */
export const rejectTwiml = twiml(element("Reject"))

/** Nothing more is said. */
export const hangUpTwiml = twiml(element("Hangup"))

/** Nothing is to be done. */
export const emptyTwiml = twiml()
