/** What is to be done about calls at the provider. */
export type CallErrand =
  /** A recording of somebody who was erased goes there too. */
  | { readonly kind: "delete_recording"; readonly provider: string; readonly recordingId: string }
  /** Nothing was heard of a call that was handed over: nobody knows whether it was placed. */
  | { readonly kind: "settle_call"; readonly callId: string }

/** A recording is deleted once. */
export const recordingErrandId = (recordingId: string): string => `recording:${recordingId}`

/** A call is settled once. */
export const settleErrandId = (callId: string): string => `settle:${callId}`
