import type { Call } from "./Call.ts"

/** What is known of every call from the beginning. */
type Known = "callId" | "tenantId" | "contactId" | "provider" | "direction" | "status" | "startedAt"

/** The record of a call of which nobody knows more yet than this. */
export const newCall = (known: Pick<Call, Known> & Partial<Call>): Call => ({
  leadId: null,
  providerCallId: null,
  contactLeg: null,
  fromNumber: null,
  toNumber: null,
  agentPhone: null,
  transferredTo: null,
  reason: null,
  answeredAt: null,
  endedAt: null,
  durationSeconds: null,
  recording: "none",
  recordingId: null,
  recordingSeconds: null,
  messageId: null,
  requestedBy: null,
  requestKey: null,
  fingerprint: null,
  updatedAt: known.startedAt,
  ...known
})
