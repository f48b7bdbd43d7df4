// The domain: pure nouns and rules, one folder each. Files of this folder are the nouns that all of them use: ids,
// tenant ids and channels. Ports, input and output, the clock and randomness do not belong in the domain. Tests:
// `packages/core/test/domain`.

import { Schema } from "effect"

/**
 * The prefix of an id, before the underscore. These prefixes are not obvious:
 *
 * - `act`: an entry of a timeline that has no record elsewhere
 * - `arr`: a line of the inbound ledger
 * - `aud`: an entry of the audit trail
 * - `bat`: a batch
 * - `can`: a canned reply
 * - `cmt`: a comment on a task
 * - `cmp`: a company
 * - `cor`: a correction of threads by a person
 * - `crd`: a movement of credits
 * - `enr`: an enrolment of a contact in a sequence
 * - `era`: an erasure
 * - `fld`: a custom field
 * - `gev`: the evaluation of one guardrail for one reply
 * - `idn`: an identity of a contact
 * - `imp`: an import of contacts
 * - `loc`: a location of the CRM
 * - `mac`: a macro
 * - `mrg`: a merge of two contacts
 * - `pip`: a pipeline of leads
 * - `raw`: the source of a mail
 * - `scr`: one scoring of a lead
 * - `seg`: a segment of contacts
 * - `seq`: a sequence
 * - `snd`: one send
 * - `stg`: a stage of a pipeline
 * - `trg`: the run of a rule that waited for a time
 * - `upl`: an uploaded file
 */
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
  | "usr"
  | "team"
  | "note"
  | "can"
  | "mac"
  | "cmt"
  | "view"
  | "upl"
  | "seg"
  | "fld"
  | "cmp"
  | "imp"
  | "pip"
  | "stg"
  | "cor"
  | "seq"
  | "enr"
  | "trg"

/** An id with a type prefix. Only this file interprets the part after the underscore. */
export type Id<P extends IdPrefix> = `${P}_${string}`

/** Creates the schema of ids with a prefix. It does not check the part after the underscore. */
export const idOf = <const P extends IdPrefix>(prefix: P): Schema.TemplateLiteral<readonly [`${P}_`, Schema.String]> =>
  Schema.TemplateLiteral([`${prefix}_`, Schema.String] as const)

export const ContactId = idOf("con")
export type ContactId = Id<"con">
export const IdentityId = idOf("idn")
export type IdentityId = Id<"idn">
export const LeadId = idOf("lead")
export type LeadId = Id<"lead">
/** The internal id of a message. The RFC 5322 Message-ID is called `internetMessageId`. */
export const MessageId = idOf("msg")
export type MessageId = Id<"msg">
export const ThreadId = idOf("thr")
export type ThreadId = Id<"thr">
export const SignalId = idOf("sig")
export type SignalId = Id<"sig">
export const RunId = idOf("run")
export type RunId = Id<"run">
export const DraftId = idOf("draft")
export type DraftId = Id<"draft">
export const TaskId = idOf("task")
export type TaskId = Id<"task">
/** One scoring of a lead. */
export const ScoreId = idOf("scr")
export type ScoreId = Id<"scr">
/** A comment on a task. */
export const CommentId = idOf("cmt")
export type CommentId = Id<"cmt">
/** The id of a call. */
export const CallId = idOf("call")
export type CallId = Id<"call">
/** The id of a connected email account. */
export const GrantId = idOf("grant")
export type GrantId = Id<"grant">
export const SubscriptionId = idOf("whk")
export type SubscriptionId = Id<"whk">
export const DeliveryId = idOf("dlv")
export type DeliveryId = Id<"dlv">
export const KeyId = idOf("key")
export type KeyId = Id<"key">
export const RuleId = idOf("rule")
export type RuleId = Id<"rule">
export const EventId = idOf("evt")
export type EventId = Id<"evt">
export const ActivityId = idOf("act")
export type ActivityId = Id<"act">
export const MergeId = idOf("mrg")
export type MergeId = Id<"mrg">
export const BatchId = idOf("bat")
export type BatchId = Id<"bat">
/** A user of a tenant: a person who works with its leads. */
export const UserId = idOf("usr")
export type UserId = Id<"usr">
export const ViewId = idOf("view")
export type ViewId = Id<"view">
export const TeamId = idOf("team")
export type TeamId = Id<"team">
export const CustomFieldId = idOf("fld")
export type CustomFieldId = Id<"fld">
export const CompanyId = idOf("cmp")
export type CompanyId = Id<"cmp">
export const SegmentId = idOf("seg")
export type SegmentId = Id<"seg">
/** An import of contacts from a CSV file. */
export const ContactImportId = idOf("imp")
export type ContactImportId = Id<"imp">
/** A pipeline of leads. */
export const SalesPipelineId = idOf("pip")
export type SalesPipelineId = Id<"pip">
/** A stage of a pipeline of leads. */
export const StageId = idOf("stg")
export type StageId = Id<"stg">
/** A correction of threads by a person. */
export const CorrectionId = idOf("cor")
export type CorrectionId = Id<"cor">
/** A private note about a conversation. */
export const NoteId = idOf("note")
export type NoteId = Id<"note">
/** A canned reply. */
export const CannedReplyId = idOf("can")
export type CannedReplyId = Id<"can">
export const MacroId = idOf("mac")
export type MacroId = Id<"mac">
/** An uploaded file that no message contains yet. */
export const UploadId = idOf("upl")
export type UploadId = Id<"upl">
export const SequenceId = idOf("seq")
export type SequenceId = Id<"seq">
/** An enrolment of a contact in a sequence. */
export const EnrolmentId = idOf("enr")
export type EnrolmentId = Id<"enr">
/** The run of a rule that waited for a time. */
export const TriggerRunId = idOf("trg")
export type TriggerRunId = Id<"trg">
/** A movement of credits. */
export const CreditId = idOf("crd")
export type CreditId = Id<"crd">

/** Crockford's base32 in lower case. It omits i, l, o and u. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
const suffixLength = 26
const suffixPattern = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/u

/** The two characters for each value of ten bits. Every message needs a dozen ids. */
const pairs: ReadonlyArray<string> = Array.from(
  { length: 1_024 },
  (_, value) => `${alphabet[value >>> 5]}${alphabet[value & 31]}`
)

/**
 * FROZEN. Encodes the 128 bits of a UUID as 26 characters, as in TypeID 0.3: two zero bits, then the UUID, most
 * significant bit first, five bits per character. The text order of ids equals the byte order of their UUIDs.
 */
export const encodeUuid = (uuid: Uint8Array): string => {
  let text = ""
  let buffer = 0
  let bits = 2
  for (let index = 0; index < 16; index++) {
    buffer = (buffer << 8) | (uuid[index] ?? 0)
    bits += 8
    if (bits < 10) continue
    bits -= 10
    text += pairs[buffer >>> bits] ?? ""
    buffer &= (1 << bits) - 1
  }
  return text
}

/** The bytes of the id that is being encoded. An encoding never pauses, so one array is enough. */
const uuid = new Uint8Array(16)

/**
 * FROZEN. Encodes an id: the prefix, an underscore and a UUIDv7 (RFC 9562 section 5.7) in the TypeID encoding. Ids with
 * the same prefix sort by `unixMillis`. The UUID's version and variant replace six of the 80 random bits.
 */
export const encodeId = <P extends IdPrefix>(prefix: P, unixMillis: number, random10Bytes: Uint8Array): Id<P> => {
  const high = Math.floor(unixMillis / 0x1_0000_0000)
  uuid[0] = high >>> 8
  uuid[1] = high
  uuid[2] = unixMillis / 0x100_0000
  uuid[3] = unixMillis / 0x1_0000
  uuid[4] = unixMillis / 0x100
  uuid[5] = unixMillis
  for (let index = 0; index < 10; index++) uuid[index + 6] = random10Bytes[index] ?? 0
  uuid[6] = 0x70 | ((uuid[6] ?? 0) & 0x0f)
  uuid[8] = 0x80 | ((uuid[8] ?? 0) & 0x3f)
  return `${prefix}_${encodeUuid(uuid)}`
}

/** Returns whether the text has the form of an id with this prefix. Does not check that the id exists. */
export const isId = <P extends IdPrefix>(prefix: P, text: string): text is Id<P> =>
  text.length === prefix.length + 1 + suffixLength &&
  text.startsWith(prefix) &&
  text[prefix.length] === "_" &&
  suffixPattern.test(text.slice(prefix.length + 1))

/** The value that orders ids: a millisecond, and a counter within that millisecond. */
export interface IdStamp {
  readonly unixMillis: number
  /** The counter has 12 bits. */
  readonly counter: number
}

const counterLimit = 0x1000
const seedMask = 0x7ff

/**
 * Returns the stamp that follows `last` (RFC 9562 section 6.2, method 1: dedicated counter). The result is always
 * greater than `last`, even if the clock stops or runs backwards. The counter of a millisecond starts at the low 11
 * bits of `seed`, so at least 2,049 ids fit in a millisecond. When the counter overflows, the stamp moves to the next
 * millisecond.
 */
export const nextStamp = (last: IdStamp, now: number, seed: number): IdStamp => {
  if (now > last.unixMillis) return { unixMillis: now, counter: seed & seedMask }
  const counter = last.counter + 1
  if (counter < counterLimit) return { unixMillis: last.unixMillis, counter }
  return { unixMillis: last.unixMillis + 1, counter: seed & seedMask }
}
