import { element, type Node, twiml } from "./Twiml.ts"

/** The call to which a callback URL belongs. Tenant and call are in the query, which Twilio signs. */
export interface CallReference {
  /** The public URL of this server, without a trailing slash. */
  readonly publicUrl: string
  readonly tenantId: string
  readonly callId: string
}

/** The base path of Twilio's webhooks. */
export const twilioPath = "/api/v1/webhook/providers/twilio"

/** The callback routes of a call. */
export type CallRoute = "call-status" | "dialed" | "recording"

/** Returns the URL of a callback. */
export const callUrl = (
  { callId, publicUrl, tenantId }: CallReference,
  route: CallRoute,
  about: string | null = null
): string => {
  const query = new URLSearchParams({ tenant: tenantId, call: callId, ...(about === null ? {} : { about }) })
  return `${publicUrl}${twilioPath}/${route}?${query.toString()}`
}

/** A connection between two people. */
export interface Connection {
  readonly place: CallReference
  /** The number to dial, in E.164. */
  readonly to: string
  /** The number shown to the dialled person, in E.164. */
  readonly callerId: string
  readonly record: boolean
  /** The role of the dialled leg; null for a leg without status callbacks. */
  readonly leg: "contact" | "agent" | null
  /** The report at the end of the connection. */
  readonly end: "dial" | "transfer"
}

/** The ringing time in seconds. It is shorter than the time after which most voice mail answers. */
const ringSeconds = "25"

/** Connects the person on the line with another number. */
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

/** Returns the document that connects two people. */
export const connectTwiml = (connection: Connection): string => twiml(dial(connection))

/**
 * Returns the document for an inbound call: the greeting, then the connection. If `connection` is null, the document
 * contains only the greeting.
 */
export const answerTwiml = (greeting: string, connection: Connection | null): string =>
  connection === null
    ? twiml(...say(greeting === "" ? "Thank you for calling. We will call you back." : greeting), element("Hangup"))
    : twiml(...say(greeting), dial(connection))

/** The document that rejects a call. */
export const rejectTwiml = twiml(element("Reject"))

/** The document that ends a call. */
export const hangUpTwiml = twiml(element("Hangup"))

/** A document that contains no instruction. */
export const emptyTwiml = twiml()
