/** What an id names; stands before the underscore. `idn` is an identity of a contact, `snd` one send, `loc` a location of the CRM, `arr` a line of the
 * inbound ledger, `raw` the source of a mail, `act` an entry of a timeline that nothing else keeps, `mrg` a merge of
 * two contacts, `scr` one scoring of a lead, `era` an erasure, `bat` a batch, `crd` a movement of credits, `aud` an entry of the audit trail, `gev` one guardrail asked about one reply. */
export type IdPrefix =
  | "con"
  | "lead"
  | "msg"
  | "thr"
  | "sig"
  | "run"
  | "draft"
  | "task"
  | "call"
  | "grant"
  | "whk"
  | "dlv"
  | "key"
  | "rule"
  | "evt"
  | "src"
  | "loc"
  | "idn"
  | "snd"
  | "arr"
  | "raw"
  | "act"
  | "mrg"
  | "scr"
  | "era"
  | "bat"
  | "gev"
  | "crd"
  | "aud"

/** An id of one kind. The part after the underscore is opaque to everybody but this file. */
export type Id<P extends IdPrefix> = `${P}_${string}`

export type ContactId = Id<"con">
export type IdentityId = Id<"idn">
export type LeadId = Id<"lead">
/** Our own id of a message; the RFC 5322 Message-ID is called `internetMessageId`. */
export type MessageId = Id<"msg">
export type ThreadId = Id<"thr">
export type SignalId = Id<"sig">
export type RunId = Id<"run">
export type DraftId = Id<"draft">
export type TaskId = Id<"task">
/** One scoring of a lead. */
export type ScoreId = Id<"scr">
export type CallId = Id<"call">
export type GrantId = Id<"grant">
export type SubscriptionId = Id<"whk">
export type DeliveryId = Id<"dlv">
export type KeyId = Id<"key">
export type RuleId = Id<"rule">
export type EventId = Id<"evt">
export type ActivityId = Id<"act">
export type MergeId = Id<"mrg">
export type BatchId = Id<"bat">
/** A movement of credits. */
export type CreditId = Id<"crd">

/** Crockford's base32 in lower case: no i, l, o, u. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
const suffixLength = 26
const suffixPattern = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/u

/**
 * FROZEN. Writes the 128 bits of a UUID as 26 characters, most significant first, the way TypeID 0.3 does: two zero
 * bits, then the UUID, five bits a character. The order of the text is the order of the bytes.
 */
export const encodeUuid = (uuid: Uint8Array): string => {
  let text = ""
  let buffer = 0
  let bits = 2
  for (let index = 0; index < 16; index++) {
    buffer = (buffer << 8) | (uuid[index] ?? 0)
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += alphabet[(buffer >>> bits) & 31]
    }
    buffer &= (1 << bits) - 1
  }
  return text
}

/**
 * FROZEN. An id: the prefix, an underscore and a UUIDv7 (RFC 9562 section 5.7) in the TypeID spelling. Ids of one kind
 * sort by `unixMillis`. Six of the eighty random bits give way to the version and the variant.
 */
export const encodeId = <P extends IdPrefix>(prefix: P, unixMillis: number, random10Bytes: Uint8Array): Id<P> => {
  const uuid = new Uint8Array(16)
  const high = Math.floor(unixMillis / 0x1_0000_0000)
  uuid[0] = high >>> 8
  uuid[1] = high
  uuid[2] = unixMillis / 0x100_0000
  uuid[3] = unixMillis / 0x1_0000
  uuid[4] = unixMillis / 0x100
  uuid[5] = unixMillis
  uuid.set(random10Bytes.subarray(0, 10), 6)
  uuid[6] = 0x70 | ((uuid[6] ?? 0) & 0x0f)
  uuid[8] = 0x80 | ((uuid[8] ?? 0) & 0x3f)
  return `${prefix}_${encodeUuid(uuid)}`
}

/** Whether a text has the form of an id of this kind. Says nothing about whether such a thing exists. */
export const isId = <P extends IdPrefix>(prefix: P, text: string): text is Id<P> =>
  text.length === prefix.length + 1 + suffixLength &&
  text.startsWith(prefix) &&
  text[prefix.length] === "_" &&
  suffixPattern.test(text.slice(prefix.length + 1))

/** The place of an id in time: its millisecond and a counter within it. */
export interface IdStamp {
  readonly unixMillis: number
  /** Twelve bits. */
  readonly counter: number
}

const counterLimit = 0x1000
const seedMask = 0x7ff

/**
 * The stamp after `last` (RFC 9562 section 6.2, method 1: a dedicated counter). Strictly greater than `last`, also when
 * the clock stands still or runs backwards; a millisecond that is used up borrows the next one. The counter starts at
 * the low eleven bits of `seed`, so that at least 2,049 ids fit in a millisecond.
 */
export const nextStamp = (last: IdStamp, now: number, seed: number): IdStamp => {
  if (now > last.unixMillis) return { unixMillis: now, counter: seed & seedMask }
  const counter = last.counter + 1
  if (counter < counterLimit) return { unixMillis: last.unixMillis, counter }
  return { unixMillis: last.unixMillis + 1, counter: seed & seedMask }
}
