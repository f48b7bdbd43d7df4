import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import type { Sequence } from "./Sequence.ts"

/** A contact, for whom the holdout group is decided. */
interface Candidate extends Pick<Sequence, "holdoutPercent" | "sequenceId" | "tenantId"> {
  readonly contactId: string
}

const uint32Range = 4_294_967_296

/**
 * FROZEN, so that a contact stays in its group: returns the position of a contact in a sequence, from 0 up to 100. It is
 * the first 32 bits (big-endian) of the SHA-256 of `<tenant>:<sequence>:<contact>`, as a percentage of their range.
 */
export const holdoutPosition = ({ contactId, sequenceId, tenantId }: Omit<Candidate, "holdoutPercent">): number => {
  const bytes = sha256(utf8ToBytes(`${tenantId}:${sequenceId}:${contactId}`))
  return (new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) / uint32Range) * 100
}

/**
 * Returns whether a contact is in the holdout group of a sequence. A higher percentage only adds contacts to the group.
 */
export const isHeldOut = (candidate: Candidate): boolean => holdoutPosition(candidate) < candidate.holdoutPercent
