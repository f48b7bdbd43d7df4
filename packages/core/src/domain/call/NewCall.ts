import type { Call } from "./Call.ts"

/** The required fields of a new call. */
type Known = "callId" | "tenantId" | "contactId" | "provider" | "direction" | "status" | "startedAt"

/** Creates a call with empty values for every unknown field. */
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
